import { spawn, type ChildProcess } from "node:child_process";

/** The exit code and the output of a process. */
export interface Ended {
    readonly exitCode: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
}

/** A running process. */
export interface Running {
    readonly process: ChildProcess;
    readonly ended: Promise<Ended>;
}

/** Starts Node.js without input and collects its output. */
export function startNode(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Running {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const ended = new Promise<Ended>((resolve) => {
        child.once("close", (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
    });
    return { process: child, ended };
}

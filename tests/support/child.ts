import { spawn } from "node:child_process";

/** The exit code and the output of a process. */
export interface Ended {
    readonly exitCode: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
}

/** Runs Node.js without input and collects its output. */
export function runNode(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    return new Promise((resolve) => {
        child.once("close", (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
    });
}

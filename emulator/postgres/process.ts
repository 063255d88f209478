import { spawn } from "node:child_process";
import type { ServerUser } from "./user";

/** The result of a program. */
export interface Result {
    code: number | null;
    stdout: string;
    stderr: string;
}

const passed = ["PATH", "TMPDIR", "TZ", "LD_LIBRARY_PATH"];

/**
 * The environment of the servers and of other programs of their user, whose processes can read it: no variable with a secret, and
 * none that changes connections or the language.
 */
export const serverEnvironment = (home?: string): NodeJS.ProcessEnv => ({
    ...Object.fromEntries(passed.map((name) => [name, process.env[name]])),
    LC_ALL: "C",
    HOME: home,
});

/** Runs a program and waits until it ends. */
export function run(
    file: string,
    args: readonly string[],
    { user = {}, cwd, home, input = "" }: { user?: ServerUser; cwd?: string; home?: string; input?: string } = {},
): Promise<Result> {
    return new Promise((resolve, reject) => {
        const child = spawn(file, args, { ...user, ...(cwd !== undefined && { cwd }), env: serverEnvironment(home) });
        let stdout = "";
        let stderr = "";
        child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
        child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
        child.stdin.on("error", () => undefined);
        child.stdin.end(input);
        child.once("error", reject);
        child.once("close", (code) => resolve({ code, stdout, stderr }));
    });
}

/** Waits for a program, and throws an error if it has failed. */
export async function must(ended: Promise<Result>): Promise<void> {
    const { code, stderr, stdout } = await ended;
    if (code !== 0 || stderr.includes("ERROR:")) {
        throw new Error((stderr || stdout).trim());
    }
}

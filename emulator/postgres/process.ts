import { spawn } from "node:child_process";
import type { ServerUser } from "./user";

/** The result of a program. */
export interface Result {
    code: number | null;
    stdout: string;
    stderr: string;
}

/** The environment of PostgreSQL's programs, without variables that change their connections or their language. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
    LC_ALL: "C",
});

/** Runs a program and waits until it ends. */
export function run(
    file: string,
    args: readonly string[],
    { user = {}, cwd, input = "" }: { user?: ServerUser; cwd?: string; input?: string } = {},
): Promise<Result> {
    return new Promise((resolve, reject) => {
        const child = spawn(file, args, { ...user, ...(cwd !== undefined && { cwd }), env: serverEnvironment() });
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

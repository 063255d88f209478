import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a command. An error contains its output. */
export async function run(
    command: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
    try {
        return (await promisify(execFile)(command, args, { ...options, maxBuffer: 2 ** 26 })).stdout;
    } catch (error) {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
    }
}

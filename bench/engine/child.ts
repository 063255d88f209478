import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

// Child processes and folders that are not left behind, also when a person has had enough and presses Ctrl-C.

/** Longer than any run takes; one that hangs must not hang the benchmark. */
const longestRunMs = 20 * 60_000;

const folders = new Set<string>();
const children = new Set<{ kill(signal: "SIGINT"): void }>();

process.once("exit", () => {
    children.forEach((child) => child.kill("SIGINT"));
    folders.forEach(removeFolder);
});
for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
    process.once(signal, () => process.exit(code));
}

/** The folder is removed when the process ends, if not before. */
export function removeAtExit(folder: string): void {
    folders.add(folder);
}

export function removeFolder(folder: string): void {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    folders.delete(folder);
}

/** Runs it to its end and keeps what it says. */
export function runToEnd(
    command: string,
    args: readonly string[],
    options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve, reject) => {
        const child = spawn(command, args, {
            ...options,
            stdio: ["ignore", "pipe", "pipe"],
            timeout: longestRunMs,
        });
        children.add(child);
        let output = "";
        const take = (data: Buffer) => {
            output += data.toString();
        };
        child.stdout.on("data", take);
        child.stderr.on("data", take);
        child.once("error", reject);
        child.once("close", (code) => {
            children.delete(child);
            resolve({ code, output });
        });
    });
}

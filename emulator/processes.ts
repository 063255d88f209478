/**
 * A running process as `PID START`, where the start time of Linux tells it from a later process with the same id. Undefined if
 * it has ended, even if its parent has not collected it. Self-contained, because it also runs in a watcher.
 */
export function identityOf(pid: number): string | undefined {
    const { existsSync, readFileSync } = process.getBuiltinModule("node:fs");
    try {
        process.kill(pid, 0);
    } catch (error) {
        // The process may exist, but belong to another user.
        if ((error as NodeJS.ErrnoException).code !== "EPERM") {
            return undefined;
        }
    }
    if (!existsSync("/proc/self/stat")) {
        return String(pid);
    }
    try {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
            .replace(/^.*\) /s, "")
            .split(" ");
        const [state = ""] = fields;
        return /[ZX]/.test(state) ? undefined : `${pid} ${fields[19] ?? ""}`;
    } catch {
        return undefined;
    }
}

/** Whether the process with this identity is still running. */
export const isRunning = (identity: string): boolean => identityOf(Number.parseInt(identity, 10)) === identity;

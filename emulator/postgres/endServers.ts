export interface EndOptions {
    /** The time in milliseconds that the servers get to end by themselves. */
    patienceMs: number;
    /** The time in milliseconds to wait for servers that are just being started. Default: 0. */
    quietMs?: number;
    /** Whether the servers may be ended. Default: yes. */
    mayEnd?: () => boolean;
}

/**
 * Ends the servers whose folders are in `data`: first in an orderly way, then without a checkpoint, which loses no committed
 * data, and finally by force. Self-contained, because it also runs in the watcher.
 */
export async function endServers(
    data: string,
    { patienceMs, quietMs = 0, mayEnd = () => true }: EndOptions,
): Promise<void> {
    const { existsSync, readdirSync, readFileSync, readlinkSync } = process.getBuiltinModule("node:fs");
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    const pollMs = 25;
    const forceAfterMs = 2_000;
    const hasProc = existsSync("/proc/self/cwd");
    const textOf = (file: string): string => {
        try {
            return readFileSync(file, "utf8");
        } catch {
            return "";
        }
    };
    const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
        try {
            return process.kill(pid, signal);
        } catch {
            return false;
        }
    };
    /** The folder in which a process of PostgreSQL or of pgbouncer works is that of its data. */
    const isServer = (pid: number): boolean => {
        if (!/^(postgres|initdb|pgbouncer)$/.test(textOf(`/proc/${pid}/comm`).trim())) {
            return false;
        }
        try {
            const folder = readlinkSync(`/proc/${pid}/cwd`);
            return folder === data || folder.startsWith(`${data}/`);
        } catch {
            return false;
        }
    };
    /** After a crash, another process can have the id of a server. A server is started with its folder in its command. */
    const isStartedAs = (pid: number, command: string): boolean =>
        String(spawnSync("ps", ["-ww", "-o", "args=", "-p", String(pid)]).stdout).includes(command);
    const running = (): number[] =>
        hasProc
            ? readdirSync("/proc")
                  .map(Number)
                  .filter((pid) => pid > 1 && isServer(pid))
            : (existsSync(data) ? readdirSync(data) : [])
                  .map((name) => `${data}/${name}`)
                  .flatMap((folder) => [
                      { file: `${folder}/postmaster.pid`, command: `postgres -D ${folder} ` },
                      { file: `${folder}/pgbouncer.pid`, command: `pgbouncer -q ${folder}/pgbouncer.ini` },
                  ])
                  .map(({ file, command }) => ({ pid: Number.parseInt(textOf(file), 10), command }))
                  .filter(({ pid, command }) => pid > 1 && send(pid, 0) && isStartedAs(pid, command))
                  .map(({ pid }) => pid);
    /** The server ends its own processes. Only if it fails, they are ended one by one. */
    const isSession = (pid: number): boolean => textOf(`/proc/${pid}/cmdline`).startsWith("postgres: ");
    const sent = new Map<number, NodeJS.Signals>();
    const begin = performance.now();
    let seenAt = begin;
    for (;;) {
        const pids = running();
        // All of them were running before this check, so none of them belongs to another emulator.
        if (!mayEnd()) {
            return;
        }
        const elapsedMs = performance.now() - begin;
        const isForced = elapsedMs > patienceMs + forceAfterMs;
        const signal = isForced ? "SIGKILL" : elapsedMs >= patienceMs ? "SIGQUIT" : "SIGINT";
        for (const pid of pids) {
            if (sent.get(pid) !== signal && (isForced || !isSession(pid))) {
                send(pid, signal);
                sent.set(pid, signal);
            }
        }
        if (pids.length > 0) {
            seenAt = performance.now();
        } else if (performance.now() - seenAt >= quietMs) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
}

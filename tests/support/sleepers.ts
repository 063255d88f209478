/** Someone who sleeps on a clock of the tests. */
export interface Sleeper {
    readonly dueAt: number;
    readonly wake: () => void;
}

/** Those who sleep; who is woken, or whose signal is aborted, leaves, and lets go of the signal. */
export class Sleepers extends Set<Sleeper> {
    /** Resolves when it is woken. */
    sleepUntil(dueAt: number, signal?: AbortSignal): Promise<void> {
        return new Promise((resolve, reject) => {
            const leave = () => {
                this.delete(sleeper);
                signal?.removeEventListener("abort", onAbort);
            };
            const sleeper = {
                dueAt,
                wake: () => {
                    leave();
                    resolve();
                },
            };
            const onAbort = () => {
                leave();
                reject(signal?.reason as Error);
            };
            if (signal?.aborted) {
                onAbort();
                return;
            }
            this.add(sleeper);
            signal?.addEventListener("abort", onAbort);
        });
    }
}

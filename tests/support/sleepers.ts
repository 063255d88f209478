/** A sleep on a clock of the tests. */
export interface Sleeper {
    readonly dueAt: number;
    readonly wake: () => void;
}

/** The current sleeps. A sleep that ends or is aborted is removed and releases its signal. */
export class Sleepers extends Set<Sleeper> {
    /** The sleep with the earliest due time. Of several, the one that began first. */
    first(): Sleeper | undefined {
        let first: Sleeper | undefined;
        for (const one of this) {
            if (!first || one.dueAt < first.dueAt) {
                first = one;
            }
        }
        return first;
    }

    /** Calls the function when the sleep ends. Returns a function that removes the sleep. */
    callAt(dueAt: number, callback: () => void): () => void {
        const sleeper = {
            dueAt,
            wake: () => {
                this.delete(sleeper);
                callback();
            },
        };
        this.add(sleeper);
        return () => void this.delete(sleeper);
    }

    /** Resolves when the sleep ends. */
    sleepUntil(dueAt: number, signal?: AbortSignal): Promise<void> {
        return new Promise((resolve, reject) => {
            if (signal?.aborted) {
                reject(signal.reason as Error);
                return;
            }
            const onAbort = () => {
                cancel();
                reject(signal?.reason as Error);
            };
            const cancel = this.callAt(dueAt, () => {
                signal?.removeEventListener("abort", onAbort);
                resolve();
            });
            signal?.addEventListener("abort", onAbort, { once: true });
        });
    }
}

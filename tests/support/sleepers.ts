/** A sleep on a clock of the tests. */
export interface Sleeper {
    readonly dueAt: number;
    readonly wake: () => void;
}

/** The current sleeps. A sleep that ends or is aborted is removed and releases its signal. */
export class Sleepers extends Set<Sleeper> {
    /** The sleep with the earliest due time. Of several, the one that began first. */
    first(): Sleeper | undefined {
        const [begun, ...later] = this;
        return later.reduce((first, one) => (first && first.dueAt <= one.dueAt ? first : one), begun);
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
    async sleepUntil(dueAt: number, signal?: AbortSignal): Promise<void> {
        signal?.throwIfAborted();
        return new Promise((resolve, reject) => {
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

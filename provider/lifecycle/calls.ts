/**
 * Calls this at each signal. The engine sends one at the end of each run. A signal to all processes of a run comes while
 * operations are in progress, and their responses contain the ids and the passwords of new resources.
 */
export function onSignal(end: () => void): void {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
        process.on(signal, end);
    }
}

/** After a signal, operations in progress have this long to end and to return their responses. A container has no more. */
export const shutdownMs = 10_000;

/** The calls of the engine in progress. */
export class Calls {
    private readonly inProgress = new Set<Promise<unknown>>();

    track<T>(call: Promise<T>): Promise<T> {
        const ended: Promise<unknown> = call.catch(() => undefined).finally(() => this.inProgress.delete(ended));
        this.inProgress.add(ended);
        return call;
    }

    /** Resolves when they have ended. True if there were any. */
    async ended(): Promise<boolean> {
        const ended = await Promise.all(this.inProgress);
        return ended.length > 0;
    }
}

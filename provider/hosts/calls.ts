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

/** Runs work with the same key one after the other, in order of arrival, and work with different keys in parallel. */
export class KeyedMutex {
    private readonly last = new Map<string, Promise<unknown>>();

    /** Whether work with this key is running or waiting. */
    isBusy(key: string): boolean {
        return this.last.has(key);
    }

    /** Runs the work when it has the lock. `waitForLock` waits for it and may time out; then the work does not run. */
    async withLock<T>(
        key: string,
        work: () => Promise<T>,
        waitForLock: (acquired: Promise<unknown>) => Promise<unknown> = (acquired) => acquired,
    ): Promise<T> {
        const before = this.last.get(key);
        const mine = before === undefined ? work() : waitForLock(before).then(work);
        // The next caller waits for all earlier ones, even if this one times out.
        const all = Promise.allSettled([before, mine]).then(() => undefined);
        this.last.set(key, all);
        try {
            return await mine;
        } finally {
            void all.then(() => {
                if (this.last.get(key) === all) {
                    this.last.delete(key);
                }
            });
        }
    }
}

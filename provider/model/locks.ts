/**
 * One lock for each resource, by its id: the API accepts one change of a service at a time. Callers that want the same lock get it in
 * order of arrival.
 */
export class Locks {
    private readonly last = new Map<string, Promise<unknown>>();

    /** Whether a caller holds this lock or waits for it. */
    isBusy(key: string): boolean {
        return this.last.has(key);
    }

    /** Resolves with the function that releases the lock. `waitForLock` waits for it, and may give up. */
    async acquire(
        key: string,
        waitForLock: (acquired: Promise<unknown>) => Promise<unknown> = (acquired) => acquired,
    ): Promise<() => void> {
        const before = this.last.get(key);
        let release: () => void = () => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        // The next caller waits for all earlier ones, even if this one gives up.
        const all = Promise.all([before, released]).then(() => {
            if (this.last.get(key) === all) {
                this.last.delete(key);
            }
        });
        this.last.set(key, all);
        try {
            await (before && waitForLock(before));
        } catch (error) {
            release();
            throw error;
        }
        return release;
    }
}

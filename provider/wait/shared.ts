/** Those who ask for the same thing at the same time share one call, which is begun after they have asked. */
export class SharedCalls {
    private readonly running = new Map<string, Promise<unknown>>();
    private readonly next = new Map<string, Promise<unknown>>();

    /** Makes the call, or waits for the one that others of this key are about to make. */
    ask<T>(key: string, call: () => Promise<T>): Promise<T> {
        const planned = this.next.get(key) as Promise<T> | undefined;
        if (planned !== undefined) {
            return planned;
        }
        const before = this.running.get(key);
        if (before === undefined) {
            return this.begin(key, call);
        }
        // What is under way may have been answered before this was asked.
        const begin = () => {
            this.next.delete(key);
            return this.begin(key, call);
        };
        const mine = before.then(begin, begin);
        this.next.set(key, mine);
        return mine;
    }

    private begin<T>(key: string, call: () => Promise<T>): Promise<T> {
        const mine = call().finally(() => {
            if (this.running.get(key) === mine) {
                this.running.delete(key);
            }
        });
        this.running.set(key, mine);
        return mine;
    }
}

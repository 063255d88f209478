/** Lets those who use the same key go one after the other, in the order in which they came, and all others at once. */
export class Queue {
    private readonly last = new Map<string, Promise<unknown>>();

    /** Does the work when it is its turn. Who has to wait does it by `patience`, which may give up: then nothing is done. */
    async inTurn<T>(
        key: string,
        work: () => Promise<T>,
        patience: (turn: Promise<unknown>) => Promise<unknown> = (turn) => turn,
    ): Promise<T> {
        const before = this.last.get(key);
        const mine = before === undefined ? work() : patience(before).then(work);
        // Who comes next waits for all that came before, also where this one gives up.
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

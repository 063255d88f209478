/** Lets those who use the same key go one after the other, in the order in which they came, and all others at once. */
export class Queue {
    private readonly last = new Map<string, Promise<unknown>>();

    /** Does the work when it is its turn. */
    async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
        const before = this.last.get(key);
        const mine = before === undefined ? work() : before.then(work, work);
        this.last.set(key, mine);
        try {
            return await mine;
        } finally {
            if (this.last.get(key) === mine) {
                this.last.delete(key);
            }
        }
    }
}

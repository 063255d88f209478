/** A repeatable random number generator. Its state is one number, which the state file stores. */
export class Random {
    state: number;

    constructor(seed: number) {
        // Similar seeds must not give similar sequences, and the state must never be zero.
        this.state = Math.imul(seed | 0, 0x9e3779b1) | 0 || 1;
    }

    /** Continues the sequence of another generator. */
    static resume(state: number): Random {
        const random = new Random(1);
        random.state = state | 0 || 1;
        return random;
    }

    /** An integer from `from` (inclusive) to `to` (exclusive). */
    integer(from: number, to: number): number {
        return from + Math.floor(this.next() * (to - from));
    }

    text(alphabet: string, length: number): string {
        return Array.from({ length }, () => alphabet[this.integer(0, alphabet.length)]).join("");
    }

    private next(): number {
        let x = this.state;
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        this.state = x;
        return (x >>> 0) / 2 ** 32;
    }
}

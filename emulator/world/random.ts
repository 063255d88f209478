/** A small repeatable source of randomness. Its whole state is one number, so that it fits in the state file. */
export class Random {
    #state: number;

    constructor(seed: number) {
        // Neighbouring seeds shall not give neighbouring sequences; zero would stay zero for ever.
        this.#state = Math.imul(seed | 0, 0x9e3779b1) | 0 || 1;
    }

    /** Goes on where another left off. */
    static resume(state: number): Random {
        const random = new Random(1);
        random.#state = state | 0 || 1;
        return random;
    }

    get state(): number {
        return this.#state;
    }

    /** A whole number from `from` up to, not including, `to`. */
    integer(from: number, to: number): number {
        return from + Math.floor(this.#next() * (to - from));
    }

    text(alphabet: string, length: number): string {
        return Array.from({ length }, () => alphabet[this.integer(0, alphabet.length)]).join("");
    }

    #next(): number {
        let x = this.#state;
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        this.#state = x;
        return (x >>> 0) / 2 ** 32;
    }
}

/** A whole number from 0 up to, not including, `range`, that is always the same for the same text. */
export function hashOf(text: string, range: number): number {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
    return (Math.imul(hash, 0x2c1b3c6d) >>> 0) % range;
}

/** A repeatable source of numbers from 0 up to 1 (mulberry32). */
export function seeded(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

export function mean(values: readonly number[]): number {
    return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    return mean([sorted[Math.floor(middle)] ?? NaN, sorted[Math.ceil(middle)] ?? NaN]);
}

/** The largest value. Unlike `Math.max`, it accepts any number of values. */
export function largest(values: readonly number[]): number {
    return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

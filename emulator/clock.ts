/** Where the emulator takes the time from. */
export interface Clock {
    /** Milliseconds since 1970. */
    now(): number;
}

/** A clock that stands still until it is moved. */
export interface VirtualClock extends Clock {
    /** Moves the time forward by this many milliseconds. */
    advance(ms: number): void;
}

/** The time of this computer. */
export const realClock: Clock = { now: () => Date.now() };

/** A clock for tests: it begins at `start` and moves only through `advance`. */
export function virtualClock(start = Date.UTC(2030, 0, 1)): VirtualClock {
    let now = start;
    return {
        now: () => now,
        advance: (ms) => {
            if (!(ms >= 0)) throw new RangeError(`A clock moves forward by zero or more milliseconds, not by ${ms}.`);
            now += ms;
        },
    };
}

export const isVirtual = (clock: Clock): clock is VirtualClock => "advance" in clock;

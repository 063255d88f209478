import { setTimeout as sleep } from "node:timers/promises";

/** The emulator's source of time. */
export interface Clock {
    /** The time in milliseconds since 1970. */
    now(): number;
    /**
     * Resolves after this number of milliseconds on the clock. By default, a virtual clock is advanced, and any other clock
     * waits in real time.
     */
    sleep?(ms: number): Promise<void>;
}

/** A clock that changes only through `advance`. */
export interface VirtualClock extends Clock {
    /** Advances the time by this number of milliseconds. */
    advance(ms: number): void;
}

/** The clock of this computer, which is also that of PostgreSQL. */
export const realClock: Clock = { now: () => Date.now() };

/** Real time in milliseconds, from any start, to measure a duration. A change of the computer's clock does not affect it. */
export const elapsedMs = (): number => {
    // `performance.now()` would load modules, which takes 5 ms at the start.
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1e6;
};

/** A clock for tests. It starts at `start`, in milliseconds since 1970, and changes only through `advance`. */
export function virtualClock(start = Date.UTC(2030, 0, 1)): VirtualClock {
    let now = start;
    return {
        now: () => now,
        advance: (ms) => {
            if (!(ms >= 0)) {
                throw new RangeError(`A clock can only be advanced by 0 or more milliseconds, not by ${ms}.`);
            }
            now += ms;
        },
    };
}

/** Resolves after this number of milliseconds on the clock. With `ref`, it keeps the process alive meanwhile. */
export async function sleepOn(clock: Clock, ms: number, ref = false): Promise<void> {
    if (clock.sleep) {
        return clock.sleep(ms);
    }
    if (isVirtual(clock)) {
        clock.advance(ms);
    } else {
        await sleep(ms, undefined, { ref });
    }
}

export const isVirtual = (clock: Clock): clock is VirtualClock => "advance" in clock;

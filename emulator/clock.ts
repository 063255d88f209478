import { setTimeout as sleep } from "node:timers/promises";

/** Where the emulator takes the time from. */
export interface Clock {
    /** Milliseconds since 1970. */
    now(): number;
    /** Resolves after this time on the clock; without it a virtual clock is moved, and any other one waited for. */
    sleep?(ms: number): Promise<void>;
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

/** Resolves when so much time has passed on the clock. */
export async function sleepOn(clock: Clock, ms: number): Promise<void> {
    if (clock.sleep) return clock.sleep(ms);
    if (isVirtual(clock)) clock.advance(ms);
    else await sleep(ms, undefined, { ref: false });
}

export const isVirtual = (clock: Clock): clock is VirtualClock => "advance" in clock;

import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Clock } from "../../provider/api/clock";
import { Sleepers, type Sleeper } from "./sleepers";

/** A clock that a test advances. Sleeps end in the order of their due times. */
export class TestClock implements Clock {
    private readonly sleepers = new Sleepers();

    constructor(private at = 0) {}

    now(): number {
        return this.at;
    }

    /** The number of current sleeps. Sleeps that are left at the end of a test are uncleared timers. */
    get sleeping(): number {
        return this.sleepers.size;
    }

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        return this.sleepers.sleepUntil(this.at + ms, signal);
    }

    /** Advances the time, ends all due sleeps, and waits until the resulting work has settled. */
    async advance(ms: number): Promise<void> {
        const until = this.at + ms;
        await settled();
        for (let next = this.next(until); next !== undefined; next = this.next(until)) {
            this.at = Math.max(this.at, next.dueAt);
            next.wake();
            await settled();
        }
        this.at = until;
    }

    /** The sleep with the earliest due time. Of several, the one that began first. */
    private next(until: number): Sleeper | undefined {
        return [...this.sleepers]
            .filter(({ dueAt }) => dueAt <= until)
            .reduce<Sleeper | undefined>((first, one) => (first && first.dueAt <= one.dueAt ? first : one), undefined);
    }
}

/** Resolves when all promises that do not depend on time or network have settled. */
export async function settled(): Promise<void> {
    await turnOfTheLoop();
}

/** The state of a promise, without waiting for it. */
export interface Fate<T> {
    state: "pending" | "resolved" | "rejected";
    value?: T;
    error?: unknown;
}

/** Observes a promise. The result changes when the promise settles. */
export function fateOf<T>(promise: Promise<T>): Fate<T> {
    const fate: Fate<T> = { state: "pending" };
    promise.then(
        (value) => Object.assign(fate, { state: "resolved", value }),
        (error: unknown) => Object.assign(fate, { state: "rejected", error }),
    );
    return fate;
}

import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Clock } from "../../provider/api/clock";
import { Sleepers, type Sleeper } from "./sleepers";

/** Time that stands still until a test moves it; whoever sleeps wakes in the order of the due times. */
export class TestClock implements Clock {
    private readonly sleepers = new Sleepers();

    constructor(private at = 0) {}

    now(): number {
        return this.at;
    }

    /** How many sleep now; what is left here when all is over is a timer that nobody cleared. */
    get sleeping(): number {
        return this.sleepers.size;
    }

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        return this.sleepers.sleepUntil(this.at + ms, signal);
    }

    /** Moves the time forward, wakes everyone who is due on the way, and lets what they do come to rest. */
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

    /** The first due sleeper; of those due at the same time the one who went to sleep first. */
    private next(until: number): Sleeper | undefined {
        return [...this.sleepers]
            .filter(({ dueAt }) => dueAt <= until)
            .reduce<Sleeper | undefined>((first, one) => (first && first.dueAt <= one.dueAt ? first : one), undefined);
    }
}

/** Resolves when all promises that can go on without time or network have gone on. */
export async function settled(): Promise<void> {
    await turnOfTheLoop();
}

/** What became of a promise that may still be pending, without waiting for it. */
export interface Fate<T> {
    state: "pending" | "resolved" | "rejected";
    value?: T;
    error?: unknown;
}

/** Follows a promise; the answer changes when the promise settles. */
export function fateOf<T>(promise: Promise<T>): Fate<T> {
    const fate: Fate<T> = { state: "pending" };
    promise.then(
        (value) => Object.assign(fate, { state: "resolved", value }),
        (error: unknown) => Object.assign(fate, { state: "rejected", error }),
    );
    return fate;
}

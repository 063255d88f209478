import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import axios, { type AxiosAdapter } from "axios";
import type { VirtualClock } from "../../emulator";
import type { Clock } from "../../provider/api/clock";
import { Sleepers, type Sleeper } from "./sleepers";

/**
 * A virtual clock. A manual one changes only when the test advances it. An automatic one advances by itself to the next due
 * time as soon as all work sleeps. So any number of waits can run at the same time, in the order of a real clock.
 */
export class TestClock implements Clock {
    private readonly sleepers = new Sleepers();
    private isPassing = false;
    /** The number of operations in real time. An automatic clock does not advance while there are any. */
    private busy = 0;
    private onRest: () => void = () => undefined;

    constructor(
        private at = 0,
        private readonly isAutomatic = false,
    ) {}

    static automatic(): TestClock {
        return new TestClock(Date.UTC(2030, 0, 1), true);
    }

    now(): number {
        return this.at;
    }

    /** The number of current sleeps. Sleeps that are left at the end of a test are uncleared timers. */
    get sleeping(): number {
        return this.sleepers.size;
    }

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        const slept = this.sleepers.sleepUntil(this.at + Math.max(ms, 0), signal);
        if (!signal?.aborted) {
            this.start();
        }
        return slept;
    }

    after(ms: number, callback: () => void): () => void {
        if (!Number.isFinite(ms)) {
            return () => undefined;
        }
        const cancel = this.sleepers.callAt(this.at + Math.max(ms, 0), callback);
        this.start();
        return cancel;
    }

    /** Advances the time, ends all due sleeps in the order of their due times, and waits until the resulting work has settled. */
    async advance(ms: number): Promise<void> {
        const until = this.at + ms;
        await settled();
        for (let next = this.sleepers.first(); next && next.dueAt <= until; next = this.sleepers.first()) {
            this.end(next);
            await settled();
        }
        this.at = until;
    }

    /** Advances the time without ending a sleep. */
    skip(ms: number): void {
        this.at += ms;
    }

    /** Stops an automatic clock until this work, which takes real time, is done. */
    async during<T>(work: Promise<T>): Promise<T> {
        this.busy += 1;
        try {
            return await work;
        } finally {
            this.busy -= 1;
            this.onRest();
        }
    }

    /** An adapter for requests over the network, which take real time. */
    readonly network: AxiosAdapter = (config) => this.during(axios.getAdapter("http")(config));

    /** The same clock for work that other work waits for: an automatic clock advances while it sleeps. */
    forWorkers(): VirtualClock {
        return {
            now: () => this.at,
            advance: (ms) => this.skip(ms),
            sleep: async (ms) => {
                this.busy -= 1;
                this.onRest();
                await this.sleep(ms);
                this.busy += 1;
            },
        };
    }

    private start(): void {
        if (this.isAutomatic && !this.isPassing) {
            void this.pass();
        }
    }

    private async pass(): Promise<void> {
        this.isPassing = true;
        for (;;) {
            await settled();
            if (this.busy > 0) {
                await new Promise<void>((resolve) => (this.onRest = resolve));
                continue;
            }
            const next = this.sleepers.first();
            if (!next) {
                break;
            }
            this.end(next);
        }
        this.isPassing = false;
    }

    private end(sleeper: Sleeper): void {
        this.at = Math.max(this.at, sleeper.dueAt);
        sleeper.wake();
    }
}

/** Resolves when all promises that do not depend on time or network have settled. */
export const settled = (): Promise<void> => turnOfTheLoop();

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

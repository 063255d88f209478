import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { VirtualClock } from "../../emulator";
import type { Clock } from "../../provider/api/clock";
import { Sleepers, type Sleeper } from "./sleepers";

/**
 * Time that passes by itself: as soon as everybody sleeps it is the time at which the first one wakes. So any number of
 * waits can go on at the same time, in the order in which they would with a real clock, and take no time at all.
 */
export class AutoClock implements Clock, VirtualClock {
    private readonly sleepers = new Sleepers();
    private passing = false;
    /** The number of operations in real time. The clock does not advance while there are any. */
    private busy = 0;
    private onRest: () => void = () => undefined;

    constructor(private at = Date.UTC(2030, 0, 1)) {}

    now(): number {
        return this.at;
    }

    /** The number of current sleepers. Sleepers that are left at the end of a test are uncleared timers. */
    get sleeping(): number {
        return this.sleepers.size;
    }

    /** Advances the clock while there is no work. */
    advance(ms: number): void {
        this.at += ms;
    }

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        const slept = this.sleepers.sleepUntil(this.at + Math.max(ms, 0), signal);
        if (!signal?.aborted && !this.passing) {
            void this.pass();
        }
        return slept;
    }

    /** Stops the clock until this work, which takes real time, is done. */
    async during<T>(work: Promise<T>): Promise<T> {
        this.busy += 1;
        try {
            return await work;
        } finally {
            this.busy -= 1;
            this.onRest();
        }
    }

    /** The same clock for work that other work waits for: the clock advances while it sleeps. */
    forWorkers(): VirtualClock {
        return {
            now: () => this.at,
            advance: (ms) => this.advance(ms),
            sleep: async (ms) => {
                this.busy -= 1;
                this.onRest();
                await this.sleep(ms);
                this.busy += 1;
            },
        };
    }

    private async pass(): Promise<void> {
        this.passing = true;
        for (;;) {
            // After this, all promises that do not depend on time have settled.
            await turnOfTheLoop();
            if (this.busy > 0) {
                await new Promise<void>((resolve) => (this.onRest = resolve));
                continue;
            }
            const next = this.first();
            if (!next) {
                break;
            }
            this.at = Math.max(this.at, next.dueAt);
            next.wake();
        }
        this.passing = false;
    }

    /** Of sleepers with the same due time, the first one. */
    private first(): Sleeper | undefined {
        let first: Sleeper | undefined;
        for (const one of this.sleepers) {
            if (!first || one.dueAt < first.dueAt) {
                first = one;
            }
        }
        return first;
    }
}

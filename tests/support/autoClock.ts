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
    /** What goes on outside of this process, or of its promises; no time passes meanwhile. */
    private busy = 0;
    private onRest: () => void = () => undefined;

    constructor(private at = Date.UTC(2030, 0, 1)) {}

    now(): number {
        return this.at;
    }

    /** How many sleep now; what is left here when all is over is a timer that nobody cleared. */
    get sleeping(): number {
        return this.sleepers.size;
    }

    /** Moves the time on while nobody works. */
    advance(ms: number): void {
        this.at += ms;
    }

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        const slept = this.sleepers.sleepUntil(this.at + Math.max(ms, 0), signal);
        if (!signal?.aborted && !this.passing) void this.pass();
        return slept;
    }

    /** Lets no time pass until this is done, which takes real time. */
    async during<T>(work: Promise<T>): Promise<T> {
        this.busy += 1;
        try {
            return await work;
        } finally {
            this.busy -= 1;
            this.onRest();
        }
    }

    /** The same clock for those who work while others wait for them: time passes while they sleep. */
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
            // Everybody who can go on without time has done so after this.
            await turnOfTheLoop();
            if (this.busy > 0) {
                await new Promise<void>((resolve) => (this.onRest = resolve));
                continue;
            }
            const next = this.first();
            if (!next) break;
            this.at = Math.max(this.at, next.dueAt);
            next.wake();
        }
        this.passing = false;
    }

    /** Of those due at the same time the one who went to sleep first. */
    private first(): Sleeper | undefined {
        let first: Sleeper | undefined;
        for (const one of this.sleepers) if (!first || one.dueAt < first.dueAt) first = one;
        return first;
    }
}

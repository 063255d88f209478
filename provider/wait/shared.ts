import type { CallOptions } from "../api/client";
import type { Clock } from "../api/clock";
import { patienceOfCaller, type Retry } from "../api/retry";
import { sharedGapMs } from "./schedule";

/** How someone asks who has a time of his own. */
export type AskOptions = CallOptions & { readonly patienceMs: number };

type Call<T> = (options: CallOptions) => Promise<T>;

/** Those who ask for the same thing at about the same time share one call, which is begun after they have asked. */
export class SharedCalls {
    private readonly lines = new Map<string, Line<unknown>>();

    constructor(private readonly clock: Clock) {}

    /**
     * Has the call of this key made, or waits for the one that others are about to have made. It is tried again for as long
     * as anyone of them has patience; each of them hears of it, and gives up at his own time.
     */
    ask<T>(key: string, call: Call<T>, options: AskOptions): Promise<T> {
        const line = (this.lines.get(key) as Line<T> | undefined) ?? new Line<T>(this.clock);
        this.lines.set(key, line as Line<unknown>);
        return line.ask(call, options);
    }
}

/** The calls of one key, of which one at a time is under way. */
class Line<T> {
    private waiting: Asker<T>[] = [];
    private busy = false;
    private beganAt = -Infinity;
    /** Why the call under way was tried again last, and until when it pauses. */
    private paused: { readonly retry: Retry; readonly until: number } | undefined;

    constructor(private readonly clock: Clock) {}

    ask(call: Call<T>, options: AskOptions): Promise<T> {
        return new Promise((resolve, reject) => {
            const now = this.clock.now();
            const asker = new Asker(call, options, now, resolve, reject);
            const { retry, until = now } = this.paused ?? {};
            if (retry !== undefined && until > now && !asker.hears({ ...retry, pauseMs: until - now }, now)) {
                return;
            }
            this.waiting.push(asker);
            if (!this.busy) {
                void this.serve();
            }
        });
    }

    private async serve(): Promise<void> {
        this.busy = true;
        while (this.waiting.length > 0) {
            const early = this.beganAt + sharedGapMs - this.clock.now();
            if (early > 0) {
                await this.clock.sleep(early);
            }
            await this.callFor(this.waiting.splice(0));
        }
        this.busy = false;
    }

    private async callFor(present: readonly Asker<T>[]): Promise<void> {
        const { clock } = this;
        const beganAt = clock.now();
        this.beganAt = beganAt;
        let askers = present;
        const [first] = askers;
        try {
            const answer = await first?.call({
                // There is one for the whole process.
                signal: first.options.signal,
                get patienceMs() {
                    return Math.max(...askers.map((asker) => asker.givesUpAt())) - beganAt;
                },
                onRetry: (retry) => {
                    const now = clock.now();
                    this.paused = { retry, until: now + retry.pauseMs };
                    // Whoever has come meanwhile came before the next try.
                    askers = [...askers, ...this.waiting.splice(0)];
                    askers = askers.filter((asker) => asker.hears(retry, now));
                    if (askers.length === 0) {
                        throw retry.failure;
                    }
                },
            });
            askers.forEach((asker) => {
                asker.resolve(answer as T);
            });
        } catch (error) {
            askers.forEach((asker) => {
                asker.reject(error);
            });
        } finally {
            this.paused = undefined;
        }
    }
}

class Asker<T> {
    constructor(
        readonly call: Call<T>,
        readonly options: AskOptions,
        private readonly askedAt: number,
        readonly resolve: (answer: T) => void,
        readonly reject: (error: unknown) => void,
    ) {}

    /** When he has no patience left. */
    givesUpAt(patienceMs = this.options.patienceMs): number {
        return this.askedAt + patienceMs;
    }

    /** Whether he goes on after this failure. */
    hears(retry: Retry, now: number): boolean {
        const patienceMs = patienceOfCaller(retry.failure, this.options.patienceMs);
        if (now + retry.pauseMs > this.givesUpAt(patienceMs)) {
            this.reject(retry.failure);
            return false;
        }
        this.options.onRetry?.(retry);
        return true;
    }
}

import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Clock } from "../../provider/api/clock";

interface Sleeper {
    readonly dueAt: number;
    readonly order: number;
    readonly wake: () => void;
    gone: boolean;
}

/** Time that passes only while everyone sleeps, and then at once; made for thousands of sleepers. */
export class BenchClock implements Clock {
    /** A binary heap: the first is the next to wake. */
    private readonly heap: Sleeper[] = [];
    private at = Date.UTC(2030, 0, 1);
    private order = 0;

    now(): number {
        return this.at;
    }

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        return new Promise((resolve, reject) => {
            const onAbort = () => {
                sleeper.gone = true;
                reject(signal?.reason as Error);
            };
            const sleeper: Sleeper = {
                dueAt: this.at + Math.max(ms, 0),
                order: (this.order += 1),
                gone: false,
                wake: () => {
                    signal?.removeEventListener("abort", onAbort);
                    resolve();
                },
            };
            if (signal?.aborted) {
                onAbort();
                return;
            }
            signal?.addEventListener("abort", onAbort, { once: true });
            this.push(sleeper);
        });
    }

    /** Lets time pass until the work is done; all that can go on without time goes on first. */
    async run<T>(work: Promise<T>): Promise<T> {
        const state = { done: false };
        const finish = () => {
            state.done = true;
        };
        work.then(finish, finish);
        for (;;) {
            await turnOfTheLoop();
            if (state.done) {
                return work;
            }
            const next = this.pop();
            if (next === undefined) {
                throw new Error(
                    "Nobody sleeps and the work is not done: it waits for something that is not on this clock.",
                );
            }
            this.at = next.dueAt;
            next.wake();
        }
    }

    private push(sleeper: Sleeper): void {
        this.heap.push(sleeper);
        for (let child = this.heap.length - 1; child > 0;) {
            const parent = (child - 1) >> 1;
            if (!this.swapIfLater(parent, child)) {
                return;
            }
            child = parent;
        }
    }

    private pop(): Sleeper | undefined {
        for (;;) {
            const first = this.heap[0];
            const last = this.heap.pop();
            if (first === undefined || last === undefined) {
                return undefined;
            }
            if (this.heap.length > 0) {
                this.heap[0] = last;
                this.sink();
            }
            if (!first.gone) {
                return first;
            }
        }
    }

    private sink(): void {
        for (let parent = 0; ;) {
            const left = 2 * parent + 1;
            const [one, other] = [this.heap[left], this.heap[left + 1]];
            if (one === undefined) {
                return;
            }
            const child = other !== undefined && isLater(one, other) ? left + 1 : left;
            if (!this.swapIfLater(parent, child)) {
                return;
            }
            parent = child;
        }
    }

    private swapIfLater(parent: number, child: number): boolean {
        const [above, below] = [this.heap[parent], this.heap[child]];
        if (above === undefined || below === undefined || !isLater(above, below)) {
            return false;
        }
        this.heap[parent] = below;
        this.heap[child] = above;
        return true;
    }
}

/** Of those due at the same time the one who went to sleep first wakes first. */
function isLater(one: Sleeper, other: Sleeper): boolean {
    return one.dueAt > other.dueAt || (one.dueAt === other.dueAt && one.order > other.order);
}

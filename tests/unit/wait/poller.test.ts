import type { CallOptions } from "../../../provider/api/client";
import { ApiError } from "../../../provider/api/errors";
import type { Source } from "../../../provider/wait/listing";
import { Poller, type Found, type Watcher } from "../../../provider/wait/poller";
import { leastGapMs } from "../../../provider/wait/schedule";
import { Collection, type Item } from "../../support/collection";
import { someCall } from "../../support/client";
import { settled, TestClock } from "../../support/virtualClock";

/** A watcher that polls every second from now on, and records what it receives. */
class PeriodicWatcher implements Watcher<Item> {
    readonly slowBecause: string[] = [];
    readonly received: { at: number; status?: string | undefined; error?: unknown }[] = [];
    dueAt: number;

    constructor(
        private readonly clock: TestClock,
        readonly id: string,
        private readonly everyMs = 1_000,
        private readonly onReceived: () => void = () => undefined,
    ) {
        this.dueAt = clock.now() + everyMs;
    }

    seen({ find }: Found<Item>): void {
        this.received.push({ at: this.clock.now(), status: find(this.id)?.status });
        this.scheduleNext();
    }

    pollFailed(error: unknown): void {
        this.received.push({ at: this.clock.now(), error });
        this.scheduleNext();
    }

    slow(waitsFor: string): void {
        this.slowBecause.push(waitsFor);
    }

    private scheduleNext(): void {
        this.dueAt = this.clock.now() + this.everyMs;
        this.onReceived();
    }
}

function start() {
    const clock = new TestClock();
    const things = new Collection(clock);
    const poller = new Poller(clock, () => 0.5);
    const watch = (id: string, everyMs?: number, onReceived?: () => void, source: Source<Item> = things.source) => {
        const watcher = new PeriodicWatcher(clock, id, everyMs, onReceived);
        poller.watch(source, watcher);
        return { watcher, leave: () => poller.leave(source, watcher) };
    };
    return { clock, things, poller, watch };
}

const pollsOf = ({ polls }: Collection) => polls.map(({ at, of }) => `${at} ${of}`);

describe("the request of a poll", () => {
    it("a poll for a single watcher reads the item", async () => {
        const { clock, things, watch } = start();
        things.put("a", "NEW");
        const { watcher } = watch("a");
        await clock.advance(2_500);
        expect(pollsOf(things)).toEqual(["1000 a", "2000 a"]);
        expect(watcher.received).toEqual([
            { at: 1_000, status: "NEW" },
            { at: 2_000, status: "NEW" },
        ]);
    });

    it("a poll lists the collection if the API cannot read one item", async () => {
        const { clock, things, watch } = start();
        things.put("a", "NEW");
        const { watcher } = watch("a", 1_000, undefined, things.listOnly);
        await clock.advance(1_500);
        expect(pollsOf(things)).toEqual(["1000 list"]);
        expect(watcher.received).toEqual([{ at: 1_000, status: "NEW" }]);
    });

    it("a poll for two items lists the collection, and each watcher receives its own item", async () => {
        const { clock, things, watch } = start();
        things.put("a", "A");
        things.put("b", "B");
        const [a, b, missing] = [watch("a"), watch("b"), watch("c")];
        await clock.advance(1_500);
        expect(pollsOf(things)).toEqual(["1000 list"]);
        expect([a, b, missing].map(({ watcher }) => watcher.received)).toEqual([
            [{ at: 1_000, status: "A" }],
            [{ at: 1_000, status: "B" }],
            [{ at: 1_000, status: undefined }],
        ]);
    });

    it("a poll for two watchers of one item reads the item", async () => {
        const { clock, things, watch } = start();
        things.put("a", "A");
        const both = [watch("a"), watch("a")];
        await clock.advance(1_500);
        expect(pollsOf(things)).toEqual(["1000 a"]);
        expect(both.map(({ watcher }) => watcher.received.length)).toEqual([1, 1]);
    });

    it("a poll reads the item again after all other watchers have left", async () => {
        const { clock, things, watch } = start();
        watch("a");
        const other = watch("b");
        await clock.advance(1_500);
        other.leave();
        await clock.advance(1_000);
        expect(pollsOf(things)).toEqual(["1000 list", "2000 a"]);
    });

    it("waits on different collections send separate requests", async () => {
        const { clock, things, poller, watch } = start();
        const others = new Collection(clock, "other things");
        watch("a");
        poller.watch(others.source, new PeriodicWatcher(clock, "b"));
        await clock.advance(1_500);
        expect([pollsOf(things), pollsOf(others)]).toEqual([["1000 a"], ["1000 b"]]);
    });
});

describe("the time of a poll", () => {
    it("a poll runs when the first watcher is due, and notifies all watchers", async () => {
        const { clock, watch } = start();
        const [slow, quick] = [watch("a", 10_000), watch("b", 1_000)];
        await clock.advance(2_500);
        expect(quick.watcher.received.map(({ at }) => at)).toEqual([1_000, 2_000]);
        expect(slow.watcher.received.map(({ at }) => at)).toEqual([1_000, 2_000]);
    });

    it("a new watcher makes the next poll earlier", async () => {
        const { clock, things, watch } = start();
        watch("a", 60_000);
        await clock.advance(10_000);
        watch("b", 300);
        await clock.advance(400);
        expect(pollsOf(things)).toEqual(["10300 list"]);
    });

    it("the next poll is later again after the watcher with the earliest poll has left", async () => {
        const { clock, things, watch } = start();
        watch("a", 60_000);
        const quick = watch("b", 1_000);
        await clock.advance(500);
        quick.leave();
        await clock.advance(59_000);
        expect(things.polls).toEqual([]);
        await clock.advance(1_000);
        expect(pollsOf(things)).toEqual(["60000 a"]);
    });

    it("polls of one collection do not overlap", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 5_000;
        watch("a", 1_000);
        watch("b", 300);
        await clock.advance(2_000);
        watch("c", 100);
        await clock.advance(60_000);
        expect(things.maxConcurrent).toBe(1);
        expect(things.polls.length).toBeGreaterThan(10);
    });

    it("polls of one collection keep a minimum interval", async () => {
        const { clock, things, watch } = start();
        ["a", "b", "c"].forEach((id) => watch(id, 100));
        await clock.advance(1_000);
        expect(pollsOf(things)).toEqual([0, 1, 2].map((poll) => `${100 + poll * leastGapMs} list`));
    });

    it("polls for a single watcher have no minimum interval", async () => {
        const { clock, things, watch } = start();
        things.put("a", "NEW");
        watch("a", 100);
        await clock.advance(350);
        expect(pollsOf(things)).toEqual(["100 a", "200 a", "300 a"]);
    });

    it("a poll lists the collection after a read with 404, because a single 404 may be wrong", async () => {
        const { clock, things, watch } = start();
        watch("a", 100);
        await clock.advance(450);
        expect(pollsOf(things)).toEqual(["100 a", "200 list", "300 a", "400 list"]);
    });

    it("a failed poll is not retried, and a poll is aborted when its last watcher leaves", async () => {
        const { clock, things, watch } = start();
        const asked: CallOptions[] = [];
        const source: Source<Item> = {
            ...things.listOnly,
            list: (options) => {
                asked.push(options);
                return things.listOnly.list(options);
            },
        };
        const { leave, watcher } = watch("a", 1_000, undefined, source);
        await clock.advance(1_000);
        const retried = (status: number, pauseMs: number) =>
            asked[0]?.onRetry?.({
                failure: new ApiError(someCall, status, undefined, undefined, undefined),
                failingMs: 0,
                pauseMs,
            });
        expect(asked).toHaveLength(1);
        expect([retried(503, 100), retried(429, 100), retried(429, 600_000)]).toEqual([false, true, false]);
        asked[0]?.onSlow?.("the response to listThings");
        expect(watcher.slowBecause).toEqual(["the response to listThings"]);
        expect(asked[0]?.signal?.aborted).toBe(false);
        leave();
        expect(asked[0]?.signal?.aborted).toBe(true);
    });

    it("a hundred watchers cause as many requests as one", async () => {
        const pollsFor = async (count: number) => {
            const { clock, things, watch } = start();
            Array.from({ length: count }, (_, index) => watch(`thing-${index}`));
            await clock.advance(60_500);
            return things.polls.length;
        };
        expect(await pollsFor(1)).toBe(60);
        expect(await pollsFor(100)).toBe(60);
    });
});

describe("a watcher", () => {
    it("a watcher receives no result of a poll that started before it was added", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 2_000;
        things.put("b", "OLD");
        const first = watch("a", 1_000);
        await clock.advance(1_500);
        things.put("b", "NEW");
        const newcomer = watch("b", 300);
        await clock.advance(3_000);
        expect(first.watcher.received.map(({ at }) => at)).toEqual([3_000]);
        await clock.advance(1_000);
        expect(newcomer.watcher.received).toEqual([{ at: 5_000, status: "NEW" }]);
    });

    it("all watchers receive the error of a failed poll", async () => {
        const { clock, things, watch } = start();
        things.failure = new Error("out of order");
        const [a, b] = [watch("a"), watch("b")];
        await clock.advance(1_500);
        expect(a.watcher.received).toEqual([{ at: 1_000, error: things.failure }]);
        expect(b.watcher.received).toEqual(a.watcher.received);
        things.failure = undefined;
        await clock.advance(1_000);
        expect(a.watcher.received).toHaveLength(2);
    });

    it("a watcher that has left receives nothing, even during a poll", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 2_000;
        const [a, b] = [watch("a"), watch("b")];
        await clock.advance(1_500);
        a.leave();
        await clock.advance(2_000);
        expect(a.watcher.received).toEqual([]);
        expect(b.watcher.received).toHaveLength(1);
    });

    it("a watcher that leaves during the notification of another one receives nothing", async () => {
        const { clock, watch } = start();
        const later: { leave?: () => void } = {};
        watch("a", 1_000, () => later.leave?.());
        const b = watch("b", 1_000);
        later.leave = b.leave;
        await clock.advance(3_500);
        expect(b.watcher.received).toEqual([]);
    });

    it("a watcher receives the error that it throws, and the others continue", async () => {
        const { clock, watch } = start();
        const mistake = new Error("cannot read this");
        let mistakes = 0;
        const throwing = watch("a", 1_000, () => {
            mistakes += 1;
            if (mistakes === 1) {
                throw mistake;
            }
        });
        const other = watch("b");
        await clock.advance(2_500);
        expect(throwing.watcher.received.map(({ error }) => error)).toEqual([undefined, mistake, undefined]);
        expect(other.watcher.received).toHaveLength(2);
    });
});

describe("after the last watcher has left", () => {
    it("no timer is left and no poll runs after all watchers have left", async () => {
        const { clock, things, watch } = start();
        const both = [watch("a"), watch("b")];
        await clock.advance(500);
        expect(clock.sleeping).toBe(1);
        both.forEach(({ leave }) => leave());
        await settled();
        expect(clock.sleeping).toBe(0);
        await clock.advance(10_000);
        expect(things.polls).toEqual([]);
    });

    it("the poll in progress is aborted after all watchers have left", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 5_000;
        const { watcher, leave } = watch("a");
        await clock.advance(1_500);
        expect(clock.sleeping).toBe(1);
        leave();
        await settled();
        expect(clock.sleeping).toBe(0);
        expect(watcher.received).toEqual([]);
    });

    it("a watcher starts another group after all watchers have left", async () => {
        const { clock, things, watch } = start();
        watch("a").leave();
        await clock.advance(500);
        const { watcher } = watch("a");
        await clock.advance(1_200);
        expect(pollsOf(things)).toEqual(["1500 a"]);
        expect(watcher.received).toHaveLength(1);
    });

    it("a watcher that leaves twice does not split later watchers into separate groups", async () => {
        const { clock, things, watch } = start();
        const gone = watch("a");
        gone.leave();
        watch("b");
        gone.leave();
        watch("c");
        await clock.advance(1_500);
        expect(pollsOf(things)).toEqual(["1000 list"]);
    });
});

import { Poller, type PollOptions, type Source, type Watcher } from "../../../provider/wait/poller";
import { leastGapMs } from "../../../provider/wait/schedule";
import { Collection, type Item } from "../../support/collection";
import { settled, TestClock } from "../../support/virtualClock";

/** A watcher that looks every second from now on, and remembers what it was told. */
class Every implements Watcher<Item> {
    readonly told: { at: number; status?: string | undefined; error?: unknown }[] = [];
    dueAt: number;

    constructor(
        private readonly clock: TestClock,
        readonly id: string,
        private readonly everyMs = 1_000,
        private readonly onTold: () => void = () => undefined,
    ) {
        this.dueAt = clock.now() + everyMs;
    }

    seen(item: Item | undefined): void {
        this.told.push({ at: this.clock.now(), status: item?.status });
        this.goOn();
    }

    pollFailed(error: unknown): void {
        this.told.push({ at: this.clock.now(), error });
        this.goOn();
    }

    private goOn(): void {
        this.dueAt = this.clock.now() + this.everyMs;
        this.onTold();
    }
}

function start() {
    const clock = new TestClock();
    const things = new Collection(clock);
    const poller = new Poller(clock, () => 0.5);
    const watch = (id: string, everyMs?: number, onTold?: () => void, source: Source<Item> = things.source) => {
        const watcher = new Every(clock, id, everyMs, onTold);
        return { watcher, leave: poller.watch(source, watcher) };
    };
    return { clock, things, poller, watch };
}

const looksOf = ({ looks }: Collection) => looks.map(({ at, of }) => `${at} ${of}`);

describe("what a look asks for", () => {
    it("is the one item, as long as nobody else waits", async () => {
        const { clock, things, watch } = start();
        things.put("a", "NEW");
        const { watcher } = watch("a");
        await clock.advance(2_500);
        expect(looksOf(things)).toEqual(["1000 a", "2000 a"]);
        expect(watcher.told).toEqual([
            { at: 1_000, status: "NEW" },
            { at: 2_000, status: "NEW" },
        ]);
    });

    it("is the list, where the service has no call for one item", async () => {
        const { clock, things, watch } = start();
        things.put("a", "NEW");
        const { watcher } = watch("a", 1_000, undefined, things.listOnly);
        await clock.advance(1_500);
        expect(looksOf(things)).toEqual(["1000 list"]);
        expect(watcher.told).toEqual([{ at: 1_000, status: "NEW" }]);
    });

    it("is the list, as soon as two items are waited for, and each watcher is told of its own", async () => {
        const { clock, things, watch } = start();
        things.put("a", "A");
        things.put("b", "B");
        const [a, b, missing] = [watch("a"), watch("b"), watch("c")];
        await clock.advance(1_500);
        expect(looksOf(things)).toEqual(["1000 list"]);
        expect([a, b, missing].map(({ watcher }) => watcher.told)).toEqual([
            [{ at: 1_000, status: "A" }],
            [{ at: 1_000, status: "B" }],
            [{ at: 1_000, status: undefined }],
        ]);
    });

    it("is the one item for two who wait for the same", async () => {
        const { clock, things, watch } = start();
        things.put("a", "A");
        const both = [watch("a"), watch("a")];
        await clock.advance(1_500);
        expect(looksOf(things)).toEqual(["1000 a"]);
        expect(both.map(({ watcher }) => watcher.told.length)).toEqual([1, 1]);
    });

    it("is the one item again, when all others have left", async () => {
        const { clock, things, watch } = start();
        watch("a");
        const other = watch("b");
        await clock.advance(1_500);
        other.leave();
        await clock.advance(1_000);
        expect(looksOf(things)).toEqual(["1000 list", "2000 a"]);
    });

    it("has nothing to do with waits on other collections", async () => {
        const { clock, things, poller, watch } = start();
        const others = new Collection(clock, "other things");
        watch("a");
        poller.watch(others.source, new Every(clock, "b"));
        await clock.advance(1_500);
        expect([looksOf(things), looksOf(others)]).toEqual([["1000 a"], ["1000 b"]]);
    });
});

describe("when a look is taken", () => {
    it("is when the most impatient watcher is due, and all are told", async () => {
        const { clock, watch } = start();
        const [slow, quick] = [watch("a", 10_000), watch("b", 1_000)];
        await clock.advance(2_500);
        expect(quick.watcher.told.map(({ at }) => at)).toEqual([1_000, 2_000]);
        expect(slow.watcher.told.map(({ at }) => at)).toEqual([1_000, 2_000]);
    });

    it("comes forward for a watcher who joins while the others sleep long", async () => {
        const { clock, things, watch } = start();
        watch("a", 60_000);
        await clock.advance(10_000);
        watch("b", 300);
        await clock.advance(400);
        expect(looksOf(things)).toEqual(["10300 list"]);
    });

    it("is put off again when the impatient one leaves", async () => {
        const { clock, things, watch } = start();
        watch("a", 60_000);
        const quick = watch("b", 1_000);
        await clock.advance(500);
        quick.leave();
        await clock.advance(59_000);
        expect(things.looks).toEqual([]);
        await clock.advance(1_000);
        expect(looksOf(things)).toEqual(["60000 a"]);
    });

    it("is not while another look at the same collection is under way", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 5_000;
        watch("a", 1_000);
        watch("b", 300);
        await clock.advance(2_000);
        watch("c", 100);
        await clock.advance(60_000);
        expect(things.mostAtOnce).toBe(1);
        expect(things.looks.length).toBeGreaterThan(10);
    });

    it("is not sooner than the least gap after the one before, however many are due", async () => {
        const { clock, things, watch } = start();
        ["a", "b", "c"].forEach((id) => watch(id, 100));
        await clock.advance(1_000);
        expect(looksOf(things)).toEqual([0, 1, 2].map((look) => `${100 + look * leastGapMs} list`));
    });

    it("waits for nothing when one is alone", async () => {
        const { clock, things, watch } = start();
        things.put("a", "NEW");
        watch("a", 100);
        await clock.advance(350);
        expect(looksOf(things)).toEqual(["100 a", "200 a", "300 a"]);
    });

    it("asks the list after a read that did not find the entry: a 404 alone proves nothing", async () => {
        const { clock, things, watch } = start();
        watch("a", 100);
        await clock.advance(450);
        expect(looksOf(things)).toEqual(["100 a", "200 list", "300 a", "400 list"]);
    });

    it("has no patience with failures, for the schedule brings the next one, and ends with its watchers", async () => {
        const { clock, things, watch } = start();
        const asked: (PollOptions | undefined)[] = [];
        const source: Source<Item> = {
            ...things.listOnly,
            list: (options) => {
                asked.push(options);
                return things.listOnly.list(options);
            },
        };
        const { leave } = watch("a", 1_000, undefined, source);
        await clock.advance(1_000);
        expect(asked).toEqual([expect.objectContaining({ retryBudgetMs: 0 })]);
        expect(asked[0]?.signal?.aborted).toBe(false);
        leave();
        expect(asked[0]?.signal?.aborted).toBe(true);
    });

    it("costs for a hundred watchers what it costs for one", async () => {
        const looksFor = async (count: number) => {
            const { clock, things, watch } = start();
            Array.from({ length: count }, (_, index) => watch(`thing-${index}`));
            await clock.advance(60_500);
            return things.looks.length;
        };
        expect(await looksFor(1)).toBe(60);
        expect(await looksFor(100)).toBe(60);
    });
});

describe("what a watcher is told", () => {
    it("is never from a look that was begun before it came", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 2_000;
        things.put("b", "OLD");
        const first = watch("a", 1_000);
        await clock.advance(1_500);
        things.put("b", "NEW");
        const late = watch("b", 300);
        await clock.advance(3_000);
        expect(first.watcher.told.map(({ at }) => at)).toEqual([3_000]);
        await clock.advance(1_000);
        expect(late.watcher.told).toEqual([{ at: 5_000, status: "NEW" }]);
    });

    it("is the failure of the look, all of them the same", async () => {
        const { clock, things, watch } = start();
        things.failure = new Error("out of order");
        const [a, b] = [watch("a"), watch("b")];
        await clock.advance(1_500);
        expect(a.watcher.told).toEqual([{ at: 1_000, error: things.failure }]);
        expect(b.watcher.told).toEqual(a.watcher.told);
        things.failure = undefined;
        await clock.advance(1_000);
        expect(a.watcher.told).toHaveLength(2);
    });

    it("is nothing any more, once it has left, also when a look is under way", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 2_000;
        const [a, b] = [watch("a"), watch("b")];
        await clock.advance(1_500);
        a.leave();
        await clock.advance(2_000);
        expect(a.watcher.told).toEqual([]);
        expect(b.watcher.told).toHaveLength(1);
    });

    it("is nothing any more, when another watcher's answer to the same look made it leave", async () => {
        const { clock, watch } = start();
        const later: { leave?: () => void } = {};
        watch("a", 1_000, () => later.leave?.());
        const b = watch("b", 1_000);
        later.leave = b.leave;
        await clock.advance(3_500);
        expect(b.watcher.told).toEqual([]);
    });

    it("is its own mistake, when it fails in being told, and the others go on", async () => {
        const { clock, watch } = start();
        const mistake = new Error("cannot read this");
        let mistakes = 0;
        const clumsy = watch("a", 1_000, () => {
            mistakes += 1;
            if (mistakes === 1) {
                throw mistake;
            }
        });
        const other = watch("b");
        await clock.advance(2_500);
        expect(clumsy.watcher.told.map(({ error }) => error)).toEqual([undefined, mistake, undefined]);
        expect(other.watcher.told).toHaveLength(2);
    });
});

describe("when the last watcher leaves", () => {
    it("no timer is left and no look is taken any more", async () => {
        const { clock, things, watch } = start();
        const both = [watch("a"), watch("b")];
        await clock.advance(500);
        expect(clock.sleeping).toBe(1);
        both.forEach(({ leave }) => leave());
        await settled();
        expect(clock.sleeping).toBe(0);
        await clock.advance(10_000);
        expect(things.looks).toEqual([]);
    });

    it("the look under way is given up", async () => {
        const { clock, things, watch } = start();
        things.latencyMs = 5_000;
        const { watcher, leave } = watch("a");
        await clock.advance(1_500);
        expect(clock.sleeping).toBe(1);
        leave();
        await settled();
        expect(clock.sleeping).toBe(0);
        expect(watcher.told).toEqual([]);
    });

    it("the next one begins anew", async () => {
        const { clock, things, watch } = start();
        watch("a").leave();
        await clock.advance(500);
        const { watcher } = watch("a");
        await clock.advance(1_200);
        expect(looksOf(things)).toEqual(["1500 a"]);
        expect(watcher.told).toHaveLength(1);
    });

    it("leaving twice does not split those who came after into rounds of their own", async () => {
        const { clock, things, watch } = start();
        const gone = watch("a");
        gone.leave();
        watch("b");
        gone.leave();
        watch("c");
        await clock.advance(1_500);
        expect(looksOf(things)).toEqual(["1000 list"]);
    });
});

import type { CallOptions } from "../../../provider/api/client";
import { ApiError, DeadlineError, InvalidResponseError, ProjectNotFoundError } from "../../../provider/api/callErrors";
import type { Collection, ReadOptions } from "../../../provider/model/collection";
import { Lists } from "../../../provider/observe/lists";
import { shortestPollMs, wakeWithinMs } from "../../../provider/observe/schedule";
import type { Item } from "../../support/collection";
import { someCall } from "../../support/client";
import { fateOf, TestClock } from "../../support/virtualClock";
import { startWaiting } from "../../support/waiting";

/** A list call that lasts until a test ends it. */
interface Open {
    readonly at: number;
    readonly options: CallOptions;
    readonly succeed: (...statuses: string[]) => void;
    readonly fail: (error: Error) => void;
}

const apiError = (status: number, retryAfterMs?: number) =>
    new ApiError(someCall, status, undefined, undefined, retryAfterMs);
const malformed = new InvalidResponseError(someCall, 200, "malformed", "contract");

const readStatuses = async (lists: Lists, ...args: Parameters<typeof lists.list<Item>>) =>
    (await lists.list(...args)).map(({ status }) => status).join();

function reads() {
    const clock = new TestClock();
    const random = () => 1;
    const lists = new Lists(clock, random);
    const open: Open[] = [];
    const collectionOf = (key: string): Collection<Item> => ({
        key,
        idOf: (entry) => (entry as Item).id,
        list: (options) =>
            new Promise((resolve, reject) => {
                options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
                const succeed = (...statuses: string[]) =>
                    resolve(statuses.map((status, index) => ({ id: String(index), status })));
                open.push({ at: clock.now(), options, succeed, fail: reject });
            }),
    });
    /** Reads the statuses, with this much time. */
    const ask = (
        key = "a",
        timeMs = 60_000,
        options: Partial<ReadOptions> = {},
        isNeeded?: (entry: object) => boolean,
    ) => readStatuses(lists, collectionOf(key), { ...options, deadlineAt: clock.now() + timeMs }, isNeeded);
    /** The callers of this tick share a call, which begins now. */
    const begin = () => clock.advance(wakeWithinMs);
    /** Ends the last call, and lets what follows happen. */
    const fail = async (error: Error = apiError(503)) => {
        open.at(-1)?.fail(error);
        await clock.advance(0);
    };
    const succeed = async (...statuses: string[]) => {
        open.at(-1)?.succeed(...statuses);
        await clock.advance(0);
    };
    return { clock, lists, open, ask, begin, fail, succeed };
}

it("all reads that begin at once share a call, and those during a call share the next one", async () => {
    const { clock, open, ask, begin, succeed } = reads();
    const first = [fateOf(ask()), fateOf(ask())];
    await begin();
    const others = Array.from({ length: 100 }, () => fateOf(ask()));
    await clock.advance(1_000);
    expect(open).toHaveLength(1);
    await succeed("old");
    expect(first.map(({ value }) => value)).toEqual(["old", "old"]);
    expect(others.every(({ state }) => state === "pending")).toBe(true);
    expect(open).toHaveLength(2);
    await succeed("new");
    expect(new Set(others.map(({ value }) => value))).toEqual(new Set(["new"]));
    await clock.advance(60_000);
    expect(open).toHaveLength(2);
});

it("reads in a row share a few calls, and none gets the answer to an earlier one", async () => {
    const { clock, open, ask, begin } = reads();
    const answers: Promise<string>[] = [];
    for (let caller = 0; caller < 100; caller++) {
        answers.push(ask());
        await clock.advance(1);
        open.forEach(({ at, succeed }) => {
            succeed(String(at));
        });
    }
    await begin();
    open.at(-1)?.succeed(String(open.at(-1)?.at));
    expect(open[0]?.at).toBe(wakeWithinMs);
    expect(open.length).toBeLessThanOrEqual(100 / wakeWithinMs);
    const startTimes = (await Promise.all(answers)).map(Number);
    expect(startTimes.every((at, caller) => at >= caller)).toBe(true);
    expect(clock.sleeping).toBe(0);
});

it("a call is not shared between lists, and fails only for its own reads", async () => {
    const { open, ask, begin, succeed } = reads();
    const [a, b] = [fateOf(ask("a")), fateOf(ask("b"))];
    await begin();
    const next = fateOf(ask("a"));
    expect(open).toHaveLength(2);
    open[0]?.fail(new Error("no"));
    open[1]?.succeed("b");
    await begin();
    expect((a.error as Error).message).toBe("no");
    expect(b.value).toBe("b");
    await succeed("yes");
    expect(next.value).toBe("yes");
});

it("reads repeat a failed call together after growing pauses, and each one is notified", async () => {
    const { clock, open, ask, begin, fail, succeed } = reads();
    const notices: string[] = [];
    const asking = (name: string, timeMs: number) =>
        fateOf(ask("a", timeMs, { onRetry: ({ pauseMs }) => notices.push(`${name} ${pauseMs}`) }));
    const [first, second] = [asking("first", 1_000), asking("second", 60_000)];
    await begin();
    await fail();
    for (const pauseMs of [250, 500]) {
        await clock.advance(pauseMs + shortestPollMs);
        await fail();
    }
    expect(notices).toEqual(["first 250", "second 250", "first 500", "second 500", "second 1000"]);
    expect(first.error).toBeInstanceOf(DeadlineError);
    expect(first.error).toMatchObject({ cause: { status: 503 } });
    await clock.advance(1_000 + shortestPollMs);
    expect(open).toHaveLength(4);
    // Whatever the pause of each caller, those that wake at one tick share the call.
    expect(open.slice(1).every(({ at }) => (at - wakeWithinMs) % shortestPollMs === 0)).toBe(true);
    expect(open[0]?.options.isSingle).toBe(true);
    await succeed("at last");
    expect(second.value).toBe("at last");
    expect(clock.sleeping).toBe(0);
});

it("a read that begins during the pause of another one is sent at once", async () => {
    const { clock, open, ask, begin, fail, succeed } = reads();
    const first = fateOf(ask("a", 3_600_000));
    await begin();
    await fail(apiError(503, 1_800_000));
    const second = fateOf(ask());
    await begin();
    await succeed("new");
    expect([first, second].map(({ value }) => value)).toEqual([undefined, "new"]);
    await clock.advance(1_800_000 + shortestPollMs);
    await succeed("newer");
    expect(first.value).toBe("newer");
    expect(open).toHaveLength(3);
    expect(clock.sleeping).toBe(0);
});

it("a read that needs a malformed entry reads the list again, and does not delay others", async () => {
    const { clock, open, ask, begin, succeed } = reads();
    const entry = { name: "it" };
    const [strict, other] = [fateOf(ask("a", 60_000, {}, (one) => one === entry)), fateOf(ask())];
    await begin();
    const succeedWithout = () => {
        open.at(-1)?.options.onMalformed?.(entry, malformed);
        open.at(-1)?.succeed("incomplete");
    };
    succeedWithout();
    await clock.advance(0);
    expect([strict.state, other.value]).toEqual(["pending", "incomplete"]);
    await clock.advance(250 + shortestPollMs);
    await succeed("complete");
    expect(strict.value).toBe("complete");
    const never = fateOf(ask("a", 60_000, {}, () => true));
    while (never.state === "pending") {
        await clock.advance(100);
        succeedWithout();
    }
    expect(never.error).toBe(malformed);
    expect(clock.now()).toBeGreaterThan(12_000);
    expect(clock.now()).toBeLessThan(25_000);
});

it("each read fails at its own deadline, and the call ends by itself", async () => {
    const { clock, open, ask } = reads();
    const fates = [5_000, 7_000].map((timeMs) => fateOf(ask("things", timeMs)));
    const states = () => fates.map(({ state }) => state);
    await clock.advance(4_999);
    expect(states()).toEqual(["pending", "pending"]);
    await clock.advance(1);
    expect(states()).toEqual(["rejected", "pending"]);
    expect(fates[0]?.error).toBeInstanceOf(DeadlineError);
    await clock.advance(2_000);
    expect(fates[1]?.error).toBeInstanceOf(DeadlineError);
    expect(open).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
});

it.each(["deadline", "abort"])(
    "after the %s of its last read, a call ends by itself, and the next one serves the reads that joined",
    async (end) => {
        const { clock, open, ask, succeed, fail } = reads();
        const abort = new AbortController();
        const first = fateOf(ask("a", end === "abort" ? 60_000 : 5_000, { signal: abort.signal }));
        await clock.advance(1_000);
        const [joined, hurried] = [fateOf(ask("a", 60_000)), fateOf(ask("a", 2_000))];
        await clock.advance(3_999);
        expect([first, joined, hurried].map(({ state }) => state)).toEqual(["pending", "pending", "rejected"]);
        expect(open).toHaveLength(1);
        await clock.advance(end === "abort" ? 0 : 1);
        abort.abort();
        await clock.advance(0);
        expect(first.state).toBe("rejected");
        expect(open).toHaveLength(1);
        await fail();
        expect(open).toHaveLength(2);
        await succeed("new");
        expect(joined.value).toBe("new");
        expect(clock.sleeping).toBe(0);
    },
);

it.each(["aborted", "expired"])("a read that is %s when it begins sends no request", async (state) => {
    const { clock, open, ask } = reads();
    const signal = state === "aborted" ? AbortSignal.abort(new Error("cancelled")) : undefined;
    const fate = fateOf(ask("a", state === "aborted" ? 1_000 : 0, { signal }));
    await clock.advance(10_000);
    expect(fate.state).toBe("rejected");
    expect(open).toEqual([]);
    expect(clock.sleeping).toBe(0);
});

it.each([
    [["a"], false, "a"],
    [["a", "a"], false, "a"],
    [["a", "b"], false, "list"],
    [["a"], true, "list"],
])("callers that need %j read, if they need the list (%s), %s", async (ids, needsList, of) => {
    const { clock, things } = startWaiting();
    things.put("a", "NEW");
    const lists = new Lists(clock, () => 0.5);
    const options = { deadlineAt: clock.now() + 1_000, needsList };
    const found = ids.map((id) => fateOf(lists.find(things.collection, id, options)));
    await clock.advance(wakeWithinMs);
    expect(found.map(({ value }) => value?.status)).toEqual(ids.map((id) => (id === "a" ? "NEW" : undefined)));
    expect(things.polls.map((poll) => poll.of)).toEqual([of]);
});

it.each([
    { entry: "its id", fields: { id: "b" }, result: malformed },
    { entry: "its id, in a list with the item", fields: { id: "a" }, id: "a/a", result: "READY" },
    { entry: "another id", fields: { id: "c" }, result: undefined },
    { entry: "an unreadable id", fields: { id: null }, result: undefined },
])("a malformed entry with $entry: $result", async ({ fields, id = "a/b", result }) => {
    const clock = new TestClock();
    const source: Collection<Item> = {
        key: "things",
        idOf: (entry) => (entry as Item).id,
        list: ({ onMalformed }) => {
            onMalformed?.(fields, malformed);
            return Promise.resolve([{ id: "a", status: "READY" }]);
        },
    };
    const options = { deadlineAt: 60_000, needsList: true };
    const fate = fateOf(new Lists(clock, () => 0.5).find(source, id, options));
    await clock.advance(30_000);
    expect(fate.value?.status ?? fate.error).toBe(result);
});

describe("a list that is not found", () => {
    type Shown = readonly (404 | "with" | "without" | "malformed")[];
    const never = [404, 404] as const;

    /** What the list, the list of its parents and that of projects show, in order. */
    it.each<[reason: string, list: Shown, parents: Shown, projects: Shown, result: unknown]>([
        ["a single 404 may be wrong", [404, "with"], [], [], "READY"],
        ["the list of a deleted parent is empty", never, ["without"], [], ""],
        ["a single 404 for the parents may be wrong, too", never, [404, "without"], [], ""],
        ["a parent that exists has a list", never, ["with"], [], InvalidResponseError],
        ["a parent whose entry is malformed exists", never, ["malformed"], [], InvalidResponseError],
        ["the list of a parent that exists is read again", [...never, "with"], ["with"], [], "READY"],
        ["if the API returns 404 for everything, nothing is deleted", never, never, [404], ProjectNotFoundError],
        ["a project that the list of projects lacks is missing", never, never, ["without"], ProjectNotFoundError],
        ["a project that exists is not missing if a list is", never, never, ["with"], InvalidResponseError],
        [
            "a project that nothing shows for some seconds is not missing",
            [...never, "with"],
            [...never, "with"],
            [...Array.from({ length: 15 }, () => 404 as const), "with"],
            "READY",
        ],
    ])("%s", async (_, list, parents, projects, result) => {
        const clock = new TestClock();
        const left = { list: [...list], parents: [...parents], projects: [...projects] };
        const answer = (of: keyof typeof left, item: Item, options?: CallOptions) => {
            const shown = (left[of].length > 1 ? left[of].shift() : left[of][0]) ?? 404;
            if (shown === "malformed") {
                options?.onMalformed?.(item, malformed);
            }
            return shown === 404 ? Promise.reject(apiError(404)) : Promise.resolve(shown === "with" ? [item] : []);
        };
        const idOf = (entry: unknown) => (entry as Item).id;
        const parent: Collection<Item> = {
            key: "p",
            idOf,
            list: (options) => answer("parents", { id: "p", status: "NEW" }, options),
            parent: {
                collection: { key: "o", idOf, list: () => answer("projects", { id: "o", status: "NEW" }) },
                id: "o",
            },
        };
        const source: Collection<Item> = {
            key: "a",
            idOf,
            list: () => answer("list", { id: "a", status: "READY" }),
            parent: { collection: parent, id: "p" },
        };
        const fate = fateOf(readStatuses(new Lists(clock, () => 0.5), source, { deadlineAt: 60_000 }));
        await clock.advance(40_000);
        const found = fate.value ?? fate.error;
        expect(typeof result === "function" && found instanceof result ? result : found).toBe(result);
    });
});

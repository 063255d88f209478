import { ApiError, ConnectionError, InvalidResponseError } from "../../../provider/api/callErrors";
import type { Collection } from "../../../provider/model/collection";
import type { Item } from "../../support/collection";
import { someCall } from "../../support/client";
import { settled } from "../../support/virtualClock";
import { startWaiting, type Begun, type Waiting } from "../../support/waiting";

const api = (status: number, retryAfterMs?: number) =>
    new ApiError(someCall, status, undefined, `failure ${status}`, retryAfterMs);
const contract = new InvalidResponseError(someCall, 200, "no region_code", "contract");
const address = new InvalidResponseError(someCall, 404, "HTML instead of JSON", "address");

/** How the wait reads its item: alone by a request for the item, alone by the list, or together with another wait. */
const kinds = ["item", "list", "shared list"] as const;

/** What the API returns from each time on, in seconds: the item in this status, a response without it, or a failure. */
type Phases = Readonly<Record<number, string | undefined | Error>>;

/** A case of a wait: its result, and the time in seconds between which it ends. */
type Situation = [
    reason: string,
    phases: Phases,
    ends: readonly [result: unknown, fromS: number, toS: number],
    options?: { readonly until?: "gone"; readonly limitS?: number; readonly latencyS?: number },
];

const [ready, gone] = ["READY", undefined];
/** A repeated failure from the first second to another one. */
const outage = (failure: Error, toS: number): Phases => ({ 0: "NEW", 1: failure, [toS]: ready });
const untilGone = { until: "gone" } as const;
const [broken, timedOut, isGone] = [/failed \(/, /timed out after/, /no longer exists/];

/** Thirty responses that lack it, each for 0.45 s. */
const missingOften = Object.assign(
    {},
    ...Array.from({ length: 30 }, (_, slip) => ({ [35 + 1.3 * slip]: gone, [35.45 + 1.3 * slip]: "NEW" })),
) as Phases;

const situations: Situation[] = [
    ["it is ready from the start, and is read once", { 0: ready }, [ready, 0.05, 0.1]],
    ["it becomes ready", { 0: "NEW", 5: ready }, [ready, 5, 6]],
    ["an unknown status is pending", { 0: "TELEPORTING", 60: ready }, [ready, 60, 61]],
    ["it will not become ready", { 0: "BROKEN" }, [broken, 0.05, 0.1]],
    // A resource that is missing.
    ["a new resource is visible late", { 0: gone, 29: ready }, [ready, 29, 30]],
    ["a new resource is never visible", { 0: gone }, [isGone, 30, 31]],
    ["a response lacks it", { 0: "NEW", 1: gone, 1.4: "NEW", 60: ready }, [ready, 60, 61]],
    ["many single responses lack it", { 0: "NEW", ...missingOften, 75: ready }, [ready, 75, 76]],
    ["a new resource is not visible to every server yet", { 0: "NEW", 1: gone, 10.5: ready }, [ready, 10.5, 11.5]],
    ["a new resource is deleted", { 0: "NEW", 1: gone }, [isGone, 11, 12.5]],
    ["an old resource is deleted", { 0: "NEW", 40: gone }, [isGone, 50, 52]],
    // A deletion.
    ["it is deleted after a while", { 0: "DELETING", 120: gone }, ["gone", 120.4, 122.5], untilGone],
    ["it was deleted before", { 0: gone }, ["gone", 0.05, 0.5], untilGone],
    [
        "a single response lacks it",
        { 0: "DELETING", 1: gone, 1.4: "DELETING", 60: gone },
        ["gone", 60.4, 62],
        untilGone,
    ],
    ["it cannot be deleted", { 0: "BROKEN" }, [broken, 0.05, 0.1], untilGone],
    // Failed polls.
    ...[
        ...[500, 503, 408, 524, 429].map((status) => api(status)),
        new ConnectionError(someCall, "ECONNRESET", "maybe"),
        new InvalidResponseError(someCall, 200, "HTML"),
    ].map((failure): Situation => [`${failure.message} repeatedly`, outage(failure, 60), [ready, 60, 65]]),
    ["the API asks for a pause", outage(api(503, 30_000), 2), [ready, 31, 32]],
    ["the API asks for a pause beyond the time limit", outage(api(503, 30_000), 2), [ready, 20, 21], { limitS: 20 }],
    ["the API asks for a pause of minutes", outage(api(429, 600_000), 2), [ready, 600, 603]],
    [
        "the API asks for a pause that ends after the time limit",
        outage(api(429, 7_200_000), 2),
        [ready, 3_600, 3_600.1],
    ],
    [
        "responses do not match the contract for a while, twice",
        { 0: "NEW", 1: contract, 10: "NEW", 20: contract, 30: ready },
        [ready, 30, 35],
    ],
    ["responses never match the contract", { 0: contract }, [contract, 15, 20.5]],
    ["the address never returns a valid response", { 0: address }, [address, 10, 20.5]],
    ["the token is rejected once", outage(api(401), 1.3), [ready, 1.3, 2.2]],
    ["the token is rejected repeatedly", { 0: api(403) }, [ApiError, 0.5, 1.5]],
    ["the request is wrong", { 0: "NEW", 1: api(400) }, [ApiError, 1, 2]],
    ["the first reads are rejected", { 0: api(400), 29: ready }, [ready, 29, 30]],
    ["all reads are rejected", { 0: api(409) }, [ApiError, 30, 31]],
    ["the first reads of a deletion are rejected", { 0: api(400) }, [ApiError, 0.05, 0.1], untilGone],
    ["the error is unknown", { 0: new TypeError("a bug") }, [TypeError, 0.05, 0.1]],
    // The time limit.
    ["it is not ready in time", { 0: "NEW" }, [timedOut, 10, 10.1], { limitS: 10 }],
    ["it is not visible in time", { 0: gone }, [timedOut, 10, 10.1], { limitS: 10 }],
    ["it becomes ready just before the time limit", { 0: "NEW", 9.999: ready }, [ready, 10, 10.1], { limitS: 10 }],
    ["polls fail until the time limit", { 0: api(503) }, [timedOut, 10, 11], { limitS: 10 }],
    ["the API does not respond", { 0: ready }, [timedOut, 6, 6], { limitS: 5, latencyS: 3_600 }],
    ["the time limit has just passed", { 0: ready }, [ready, 0, 0.1], { limitS: -0.5 }],
    ["the time limit passed long ago", { 0: ready }, [timedOut, 0, 0], { limitS: -3 }],
];

/** Changes what the API returns when its time has come, until the wait ends. */
async function play({ clock, things }: Waiting, phases: Phases, { fate }: Begun): Promise<void> {
    const beganAt = clock.now();
    const ordered = Object.entries(phases).sort(([left], [right]) => Number(left) - Number(right));
    for (const [index, [, shows]] of ordered.entries()) {
        things.failure = shows instanceof Error ? shows : undefined;
        if (typeof shows === "string") {
            things.put("a", shows);
        } else if (shows === undefined) {
            things.remove("a");
        }
        const nextAt = beganAt + Number(ordered[index + 1]?.[0] ?? Infinity) * 1_000;
        while (fate.state === "pending" && clock.now() < nextAt) {
            await clock.advance(Math.min(1_000, nextAt - clock.now()));
        }
    }
}

describe.each(kinds)("a wait that reads the %s", (kind) => {
    it.each(situations)("%s", async (_, phases, [result, fromS, toS], options = {}) => {
        const { until = "ready", limitS = 3_600, latencyS = 0 } = options;
        const waiting = startWaiting();
        const { clock, things, begin } = waiting;
        const beganAt = clock.now();
        const abort = new AbortController();
        things.latencyMs = latencyS * 1_000;
        things.put("other", "NEW");
        if (kind === "shared list") {
            begin("other", { signal: abort.signal });
        }
        const collection = kind === "list" ? things.listOnly : things.collection;
        const wait = begin("a", { collection, until, deadlineAt: beganAt + limitS * 1_000 });
        await play(waiting, phases, wait);
        const { state, value, error } = wait.fate;
        const found = state === "resolved" ? (value?.status ?? "gone") : error;
        const isIt =
            result instanceof RegExp
                ? result.test(String(found))
                : typeof result === "function" && found instanceof result;
        expect(isIt ? result : found).toBe(result);
        const endedAfterS = (wait.endedAt - beganAt) / 1_000;
        expect(endedAfterS).toBeGreaterThanOrEqual(fromS);
        expect(endedAfterS).toBeLessThanOrEqual(toS);
        abort.abort();
        // A call that nobody waits for ends by itself.
        await clock.advance(things.latencyMs);
        expect(clock.sleeping).toBe(0);
    });
});

it("a poll at the deadline that fails is repeated while there is time for a response", async () => {
    const { clock, things, begin } = startWaiting();
    things.put("a", "NEW");
    const { fate } = begin("a", { deadlineAt: clock.now() + 5_000 });
    await clock.advance(4_999);
    things.put("a", "READY");
    things.failure = api(503);
    await clock.advance(1);
    expect(fate.state).toBe("pending");
    things.failure = undefined;
    await clock.advance(1_000);
    expect(fate.value?.status).toBe("READY");
    expect(clock.sleeping).toBe(0);
});

it("a missing resource is read from the list after a 404, because a single 404 may be wrong", async () => {
    const { clock, things, begin } = startWaiting();
    begin("a");
    await clock.advance(2_000);
    expect(things.polls.map(({ of }) => of)).toEqual(["a", "list", "a", "list", "a"]);
});

it("the progress contains the status, the detail, the elapsed time, the deadline, and the failure of a poll", async () => {
    const { clock, things, begin } = startWaiting();
    things.put("a", "NEW");
    const deadlineAt = clock.now() + 60_000;
    const { progress, seen } = begin("a", { deadlineAt });
    await clock.advance(300);
    things.put("a", "SLOW");
    await clock.advance(700);
    things.remove("a");
    await clock.advance(840);
    things.failure = new ConnectionError(someCall, "ECONNRESET", "maybe");
    await clock.advance(400);
    const { failure } = things;
    things.failure = undefined;
    things.put("a", "READY");
    await clock.advance(2_000);
    expect(progress).toEqual([
        { status: "NEW", detail: undefined, elapsedMs: 72.5 },
        { status: "SLOW", detail: "two of three steps done", elapsedMs: 440 },
        { status: "SLOW", detail: "two of three steps done", elapsedMs: 860 },
        { status: "SLOW", detail: "not found", elapsedMs: 1_700 },
        expect.objectContaining({ status: "SLOW", failure }),
    ]);
    expect(seen).toEqual(["NEW", "SLOW", "SLOW", "READY"]);
});

it("a deletion keeps its last status while the API may no longer show the resource", async () => {
    const { clock, things, begin } = startWaiting();
    things.put("a", "NEW");
    const { progress } = begin("a", { until: "gone" });
    await clock.advance(300);
    things.remove("a");
    await clock.advance(2_000);
    expect(progress.map(({ status, detail }) => detail ?? status)).toEqual(["NEW", "NEW"]);
});

it("the progress during a slow poll tells what it waits for", async () => {
    const { clock, things, begin } = startWaiting();
    const list: Collection<Item>["list"] = ({ onSlow }) => {
        onSlow?.("the response to listThings");
        return new Promise(() => undefined);
    };
    const { progress } = begin("a", { collection: { ...things.listOnly, list } });
    await clock.advance(300);
    expect(progress).toMatchObject([{ detail: "waiting for the response to listThings" }]);
});

it.each<[Phases, string | RegExp, limitS?: number, latencyS?: number]>([
    [
        { 0: "NEW", 60: "CONFIGURING" },
        /after 2 min: CONFIGURING for (59 s|1 min)\.\nResume: repeat the command; .*\nMore time: increase customTimeouts\.create$/,
        120,
    ],
    [{ 0: "SLOW" }, "SLOW for 9.9 s (last poll: two of three steps done)"],
    [{ 0: undefined }, "not visible yet for 10 s (last poll: not found)"],
    [{ 0: api(503) }, "(last poll: getService failed with 503: failure 503)."],
    [{ 0: undefined }, /^Thing "a" no longer exists: .*\nCreate it again: `pulumi up --refresh`$/, 3_600],
    [{ 0: "BROKEN" }, 'Thing "a" failed (BROKEN): it broke'],
    [{ 0: undefined }, "not visible yet for 6 s (last poll: the API has not responded)", 5, 3_600],
])("after %j, the error of a wait says why: %s", async (phases, says, limitS = 10, latencyS = 0) => {
    const waiting = startWaiting();
    waiting.things.latencyMs = latencyS * 1_000;
    const wait = waiting.begin("a", { deadlineAt: waiting.clock.now() + limitS * 1_000 });
    await play(waiting, phases, wait);
    expect((wait.fate.error as Error).message).toMatch(says);
});

const reason = new Error("cancelled");

it.each([
    { when: "before the start", atMs: undefined, latencyMs: 0, polls: 0 },
    { when: "between two polls", atMs: 700, latencyMs: 0, polls: 2 },
    { when: "during a poll", atMs: 700, latencyMs: 10_000, polls: 1 },
])("an abort $when ends the wait at once, and leaves no timer or listener", async ({ atMs, latencyMs, polls }) => {
    const { clock, things, begin } = startWaiting();
    things.put("a", "NEW");
    things.latencyMs = latencyMs;
    const abort = new AbortController();
    const added = jest.spyOn(abort.signal, "addEventListener");
    const removed = jest.spyOn(abort.signal, "removeEventListener");
    if (atMs === undefined) {
        abort.abort(reason);
    }
    const { fate } = begin("a", { signal: abort.signal });
    await clock.advance(atMs ?? 0);
    abort.abort(reason);
    await settled();
    expect(fate).toEqual({ state: "rejected", error: reason });
    const [adding, removing] = [added, removed].map(({ mock }) => mock.calls);
    const left = adding?.filter(([, one]) => !removing?.some(([, other]) => other === one)) ?? [];
    // The abort has removed the listener of a pause.
    expect(left.map(([, , options]) => options)).toEqual(left.map(() => ({ once: true })));
    await clock.advance(60_000);
    expect(clock.sleeping).toBe(0);
    expect(things.polls).toHaveLength(polls);
});

const pollsFor = async (count: number, ms: number, apartMs = 0) => {
    const { clock, things, begin } = startWaiting();
    const ids = Array.from({ length: count }, (_, index) => `thing-${index}`);
    ids.forEach((id) => things.put(id, "NEW"));
    const waits: Begun[] = [];
    for (const id of ids) {
        waits.push(begin(id));
        await clock.advance(apartMs);
    }
    await clock.advance(ms);
    ids.forEach((id) => things.put(id, "READY"));
    await clock.advance(60_000);
    expect(waits.every(({ fate }) => fate.state === "resolved")).toBe(true);
    expect(clock.sleeping).toBe(0);
    return things.polls;
};

it.each([
    { ms: 10_000, apartMs: 0 },
    { ms: 60_000, apartMs: 10 },
    { ms: 600_000, apartMs: 0 },
])(
    "a hundred waits of $ms ms that begin $apartMs ms apart cause about as many requests as one",
    async ({ ms, apartMs }) => {
        const one = await pollsFor(1, ms);
        const hundred = await pollsFor(100, ms, apartMs);
        expect(hundred.length).toBeLessThanOrEqual(Math.ceil(one.length * 1.2));
        // The first one may begin alone, and the last one end.
        expect(new Set(hundred.slice(1, -1).map(({ of }) => of))).toEqual(new Set(["list"]));
    },
);

it("each wait ends with its own item, and its end, failure, timeout or abort does not end the others", async () => {
    const { clock, things, begin } = startWaiting();
    ["a", "b", "c", "d", "e", "f"].forEach((id) => things.put(id, "NEW"));
    const abort = new AbortController();
    const mistake = new TypeError("cannot read this");
    const evaluate = () => {
        throw mistake;
    };
    const waits = [
        ...["a", "b", "c"].map((id) => begin(id)),
        begin("d", { signal: abort.signal }),
        begin("e", { evaluate }),
        begin("f", { deadlineAt: clock.now() + 5_000 }),
    ];
    const last = begin("f");
    await clock.advance(1_000);
    things.put("a", "READY");
    things.remove("b");
    things.put("c", "BROKEN");
    abort.abort(new Error("cancelled"));
    await clock.advance(11_000);
    expect(waits.map(({ fate: { value, error } }) => value ?? error)).toEqual([
        { id: "a", status: "READY" },
        expect.objectContaining({ message: expect.stringMatching(isGone) as string }),
        expect.objectContaining({ message: expect.stringMatching(broken) as string }),
        abort.signal.reason,
        mistake,
        expect.objectContaining({ message: expect.stringMatching(timedOut) as string }),
    ]);
    const polls = things.polls.length;
    expect(last.fate.state).toBe("pending");
    things.put("f", "READY");
    await clock.advance(1_000);
    expect(last.fate.state).toBe("resolved");
    expect(things.polls.slice(polls).map(({ of }) => of)).toEqual(["f"]);
});

it("a wait that joins an old one is polled soon, and shares the polls of the old one", async () => {
    const { clock, things, begin } = startWaiting();
    ["old", "new"].forEach((id) => things.put(id, "NEW"));
    const hour = 3_600_000;
    begin("old", { deadlineAt: clock.now() + 2 * hour });
    await clock.advance(hour + 100);
    const [before, joinedAt] = [things.polls.length, clock.now()];
    begin("new");
    await clock.advance(60_000);
    const polls = things.polls.slice(before);
    expect((polls[0]?.at ?? NaN) - joinedAt).toBeLessThan(500);
    // Each of the old one is one of the new one.
    expect(new Set(polls.map(({ of }) => of))).toEqual(new Set(["new", "list"]));
    expect(polls.length).toBeLessThanOrEqual((await pollsFor(1, 60_000)).length);
});

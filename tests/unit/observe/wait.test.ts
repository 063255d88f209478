import { ApiError, ConnectionError, InvalidResponseError } from "../../../provider/api/callErrors";
import { WaitFailedError, WaitGoneError, WaitTimeoutError, type Wait } from "../../../provider/observe/wait";
import type { Collection } from "../../../provider/model/collection";
import type { Item } from "../../support/collection";
import { someCall } from "../../support/client";
import { settled } from "../../support/virtualClock";
import { pollTimesSince, startWaiting, type Begun, type Waiting } from "../../support/waiting";

const api = (status: number, retryAfterMs?: number) =>
    new ApiError(someCall, status, undefined, `failure ${status}`, retryAfterMs);
const contract = new InvalidResponseError(someCall, 200, "no region_code", "contract");
const address = new InvalidResponseError(someCall, 404, "HTML instead of JSON", "address");

/** How the wait reads its item: alone by a request for the item, alone by the list, or together with another wait. */
const kinds = ["item", "list", "shared list"] as const;

/** What the API returns from each time on, in seconds: the item in this status, a response without it, or a failure. */
type Phases = Readonly<Record<number, string | undefined | Error>>;

/** The result of a wait, and the time in seconds between which it ends. */
type Result = readonly [result: unknown, fromS: number, toS: number];

interface Situation {
    readonly reason: string;
    readonly until?: Wait<Item>["until"];
    readonly limitS?: number;
    readonly latencyS?: number;
    readonly phases: Phases;
    readonly ends: Result;
}

const [ready, gone] = ["READY", undefined];
/** A repeated failure from the first second to another one. */
const outage = (failure: Error, toS: number): Phases => ({ 0: "NEW", 1: failure, [toS]: ready });

const situations: readonly Situation[] = [
    { reason: "it is ready from the start, and is read once", phases: { 0: ready }, ends: [ready, 0.3, 0.3] },
    { reason: "it becomes ready", phases: { 0: "NEW", 5: ready }, ends: [ready, 5, 6] },
    { reason: "an unknown status is pending", phases: { 0: "TELEPORTING", 60: ready }, ends: [ready, 60, 61] },
    { reason: "it will not become ready", phases: { 0: "BROKEN" }, ends: [WaitFailedError, 0.3, 0.3] },
    // A resource that is missing.
    { reason: "a new resource is visible late", phases: { 0: gone, 29: ready }, ends: [ready, 29, 30] },
    { reason: "a new resource is never visible", phases: { 0: gone }, ends: [WaitGoneError, 30, 31] },
    { reason: "a response lacks it", phases: { 0: "NEW", 1: gone, 1.4: "NEW", 60: ready }, ends: [ready, 60, 61] },
    {
        reason: "many single responses lack it",
        phases: Object.assign(
            { 0: "NEW", 75: ready },
            ...Array.from({ length: 30 }, (_, slip) => ({ [35 + 1.3 * slip]: gone, [35.45 + 1.3 * slip]: "NEW" })),
        ) as Phases,
        ends: [ready, 75, 76],
    },
    {
        reason: "a new resource is not visible to every server yet",
        phases: { 0: "NEW", 1: gone, 10.5: ready },
        ends: [ready, 10.5, 11.5],
    },
    { reason: "a new resource is deleted", phases: { 0: "NEW", 1: gone }, ends: [WaitGoneError, 11, 12] },
    { reason: "an old resource is deleted", phases: { 0: "NEW", 40: gone }, ends: [WaitGoneError, 50, 52] },
    // A deletion.
    {
        reason: "it is deleted after a while",
        until: "gone",
        phases: { 0: "DELETING", 120: gone },
        ends: ["gone", 120.4, 122.5],
    },
    { reason: "it was deleted before", until: "gone", phases: { 0: gone }, ends: ["gone", 0.7, 0.8] },
    {
        reason: "a single response lacks it",
        until: "gone",
        phases: { 0: "DELETING", 1: gone, 1.4: "DELETING", 60: gone },
        ends: ["gone", 60.4, 62],
    },
    { reason: "it cannot be deleted", until: "gone", phases: { 0: "BROKEN" }, ends: [WaitFailedError, 0.3, 0.3] },
    // Failed polls.
    ...[api(500), api(503), api(408), api(524), api(429), new ConnectionError(someCall, "ECONNRESET", "unknown")].map(
        (failure): Situation => ({
            reason: `${failure.message} repeatedly`,
            phases: outage(failure, 60),
            ends: [ready, 60, 65],
        }),
    ),
    {
        reason: "a proxy returns a web page for a while",
        phases: outage(new InvalidResponseError(someCall, 200, "HTML"), 60),
        ends: [ready, 60, 65],
    },
    { reason: "the API asks for a pause", phases: outage(api(503, 30_000), 2), ends: [ready, 31, 32] },
    {
        reason: "the API asks for a pause beyond the time limit",
        limitS: 20,
        phases: outage(api(503, 30_000), 2),
        ends: [ready, 20, 21],
    },
    {
        reason: "the API asks for a pause of hours",
        limitS: 3_600,
        phases: outage(api(429, 7_200_000), 2),
        ends: [ready, 60, 63],
    },
    {
        reason: "responses do not match the contract for a while, twice",
        phases: { 0: "NEW", 1: contract, 10: "NEW", 20: contract, 30: ready },
        ends: [ready, 30, 35],
    },
    { reason: "responses never match the contract", phases: { 0: contract }, ends: [contract, 15, 20.5] },
    { reason: "the address never returns a valid response", phases: { 0: address }, ends: [address, 10, 20.5] },
    { reason: "the token is rejected once", phases: outage(api(401), 1.3), ends: [ready, 1.3, 2.2] },
    { reason: "the token is rejected repeatedly", phases: { 0: api(403) }, ends: [ApiError, 0.5, 1.5] },
    { reason: "the request is wrong", phases: { 0: "NEW", 1: api(400) }, ends: [ApiError, 1, 2] },
    { reason: "the first reads are rejected", phases: { 0: api(400), 4.9: ready }, ends: [ready, 4.9, 5.9] },
    { reason: "all reads are rejected", phases: { 0: api(409) }, ends: [ApiError, 5, 6] },
    {
        reason: "the first reads of a deletion are rejected",
        until: "gone",
        phases: { 0: api(400) },
        ends: [ApiError, 0.3, 0.3],
    },
    { reason: "the error is unknown", phases: { 0: new TypeError("a bug") }, ends: [TypeError, 0.3, 0.3] },
    // The time limit.
    { reason: "it is not ready in time", limitS: 10, phases: { 0: "NEW" }, ends: [WaitTimeoutError, 10, 10] },
    { reason: "it is not visible in time", limitS: 10, phases: { 0: gone }, ends: [WaitTimeoutError, 10, 10] },
    {
        reason: "it becomes ready just before the time limit",
        limitS: 10,
        phases: { 0: "NEW", 9.999: ready },
        ends: [ready, 10, 10],
    },
    {
        reason: "polls fail until the time limit",
        limitS: 10,
        phases: { 0: api(503) },
        ends: [WaitTimeoutError, 10, 11],
    },
    {
        reason: "the API does not respond",
        limitS: 5,
        latencyS: 3_600,
        phases: { 0: ready },
        ends: [WaitTimeoutError, 6, 6],
    },
    { reason: "the time limit has just passed", limitS: -0.5, phases: { 0: ready }, ends: [ready, 0, 0] },
    { reason: "the time limit passed long ago", limitS: -3, phases: { 0: ready }, ends: [WaitTimeoutError, 0, 0] },
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
    it.each(situations)("$reason", async ({ until = "ready", limitS = 3_600, latencyS = 0, phases, ends }) => {
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
        const [result, fromS, toS] = ends;
        const { state, value, error } = wait.fate;
        const found = state === "resolved" ? (value?.status ?? "gone") : error;
        if (typeof result === "function") {
            expect(found).toBeInstanceOf(result);
        } else {
            expect(found).toBe(result);
        }
        const endedAfterS = ((wait.endedAt ?? NaN) - beganAt) / 1_000;
        expect(endedAfterS).toBeGreaterThanOrEqual(fromS);
        expect(endedAfterS).toBeLessThanOrEqual(toS);
        abort.abort();
        await settled();
        expect(clock.sleeping).toBe(0);
    });
});

describe("the polls of a wait", () => {
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

    it("a wait polls soon after its start, then about once a second, and later less often", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const beganAt = clock.now();
        begin("a", { deadlineAt: clock.now() + 10_000_000 });
        await clock.advance(4_000);
        expect(pollTimesSince(beganAt, things)).toEqual([300, 1_120, 1_940, 2_760, 3_580]);
        await clock.advance(1_800_000);
        const before = things.polls.length;
        await clock.advance(600_000);
        expect(things.polls.length - before).toBeLessThan(150);
        expect(things.polls.length - before).toBeGreaterThan(10);
    });

    it("a missing resource is read from the list after a 404, because a single 404 may be wrong", async () => {
        const { clock, things, begin } = startWaiting();
        begin("a");
        await clock.advance(2_000);
        expect(things.polls.map(({ of }) => of)).toEqual(["a", "list", "a", "list"]);
    });
});

describe("the progress of a wait", () => {
    it("the progress contains the status, the detail, the elapsed time and the deadline", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const deadlineAt = clock.now() + 60_000;
        const { progress, seen } = begin("a", { deadlineAt });
        await clock.advance(300);
        things.put("a", "SLOW");
        await clock.advance(820);
        things.remove("a");
        await clock.advance(820);
        things.put("a", "READY");
        await clock.advance(820);
        expect(progress).toEqual([
            { status: "NEW", detail: undefined, elapsedMs: 300, deadlineAt },
            { status: "SLOW", detail: "two of three steps done", elapsedMs: 1_120, deadlineAt },
            { status: "SLOW", detail: "not found", elapsedMs: 1_940, deadlineAt },
        ]);
        expect(seen).toEqual(["NEW", "SLOW", "READY"]);
    });

    it("a deletion keeps its last status while the API may no longer show the resource", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { progress } = begin("a", { until: "gone" });
        await clock.advance(300);
        things.remove("a");
        await clock.advance(2_000);
        expect(progress.map(({ status, detail }) => [status, detail])).toEqual([
            ["NEW", undefined],
            ["NEW", undefined],
        ]);
    });

    it("the progress after a failed poll contains the last known status and the failure", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { progress } = begin("a");
        await clock.advance(300);
        things.failure = new ConnectionError(someCall, "ECONNRESET", "unknown");
        await clock.advance(900);
        expect(progress[1]).toMatchObject({ status: "NEW", failure: things.failure });
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
});

describe("the error of a wait", () => {
    it.each([
        {
            limitS: 120,
            phases: { 0: "NEW", 60: "CONFIGURING" },
            says: /after 2 min: CONFIGURING for (59 s|1 min)\.\nResume: repeat the command; nothing was rolled back\nMore time: increase customTimeouts\.create$/,
        },
        { limitS: 10, phases: { 0: "SLOW" }, says: "SLOW for 9.7 s (last poll: two of three steps done)" },
        { limitS: 10, phases: { 0: undefined }, says: "not visible yet for 10 s (last poll: not found)" },
        { limitS: 10, phases: { 0: api(503) }, says: "(last poll: getService failed with 503: failure 503)." },
        {
            limitS: 3_600,
            phases: { 0: undefined },
            says: /^Thing "a" no longer exists: .*\nCreate it again: `pulumi up --refresh`$/,
        },
        { limitS: 3_600, phases: { 0: "BROKEN" }, says: 'Thing "a" failed (BROKEN): it broke' },
        {
            limitS: 5,
            latencyS: 3_600,
            phases: { 0: undefined },
            says: "not visible yet for 6 s (last poll: the API has not responded)",
        },
    ] as { limitS: number; latencyS?: number; phases: Phases; says: string | RegExp }[])(
        "it says why: $says",
        async ({ limitS, latencyS = 0, phases, says }) => {
            const waiting = startWaiting();
            waiting.things.latencyMs = latencyS * 1_000;
            const wait = waiting.begin("a", { deadlineAt: waiting.clock.now() + limitS * 1_000 });
            await play(waiting, phases, wait);
            expect((wait.fate.error as Error).message).toEqual(
                typeof says === "string" ? expect.stringContaining(says) : expect.stringMatching(says),
            );
        },
    );
});

describe("an abort", () => {
    const reason = new Error("cancelled");

    it.each([
        { when: "before the start", atMs: undefined, latencyMs: 0, polls: 0 },
        { when: "between two polls", atMs: 1_000, latencyMs: 0, polls: 1 },
        { when: "during a poll", atMs: 1_000, latencyMs: 10_000, polls: 1 },
    ])("an abort $when ends the wait at once, and leaves no timer or listener", async ({ atMs, latencyMs, polls }) => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        things.latencyMs = latencyMs;
        const abort = new AbortController();
        const [added, removed] = [
            jest.spyOn(abort.signal, "addEventListener"),
            jest.spyOn(abort.signal, "removeEventListener"),
        ];
        if (atMs === undefined) {
            abort.abort(reason);
        }
        const { fate } = begin("a", { signal: abort.signal });
        await clock.advance(atMs ?? 0);
        abort.abort(reason);
        await settled();
        expect(fate).toEqual({ state: "rejected", error: reason });
        expect(clock.sleeping).toBe(0);
        expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
            added.mock.calls.map(([, listener]) => listener),
        );
        await clock.advance(60_000);
        expect(things.polls).toHaveLength(polls);
    });
});

describe("many waits on one collection", () => {
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
            expect(new Set(hundred.slice(0, -1).map(({ of }) => of))).toEqual(new Set(["list"]));
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
        const [ready, deleted, broken, aborted] = [
            begin("a"),
            begin("b"),
            begin("c"),
            begin("d", { signal: abort.signal }),
        ];
        const [throwing, late, last] = [
            begin("e", { evaluate }),
            begin("f", { deadlineAt: clock.now() + 5_000 }),
            begin("f"),
        ];
        await clock.advance(1_000);
        things.put("a", "READY");
        things.remove("b");
        things.put("c", "BROKEN");
        abort.abort(new Error("cancelled"));
        await clock.advance(11_000);
        expect(
            [ready, deleted, broken, aborted, throwing, late].map(({ fate: { value, error } }) => value ?? error),
        ).toEqual([
            { id: "a", status: "READY" },
            expect.any(WaitGoneError),
            expect.any(WaitFailedError),
            abort.signal.reason,
            mistake,
            expect.any(WaitTimeoutError),
        ]);
        const polls = things.polls.length;
        expect(last.fate.state).toBe("pending");
        things.put("f", "READY");
        await clock.advance(1_000);
        expect(last.fate.state).toBe("resolved");
        expect(things.polls.slice(polls).map(({ of }) => of)).toEqual(["f"]);
    });

    it("a wait that joins an old one is polled soon, and the old one uses the poll of the new one", async () => {
        const { clock, things, begin } = startWaiting();
        ["old", "new"].forEach((id) => things.put(id, "NEW"));
        const beganAt = clock.now();
        const old = begin("old", { deadlineAt: beganAt + 10_000_000 });
        await clock.advance(3_000_000);
        await clock.advance((things.polls.at(-1)?.at ?? NaN) + 6_000 - clock.now());
        const [before, joinedAt] = [things.polls.length, clock.now()];
        begin("new");
        things.put("old", "READY");
        await clock.advance(300);
        expect(pollTimesSince(joinedAt, things).slice(before)).toEqual([300]);
        expect(old.fate.state).toBe("resolved");
    });
});

import { receiveSpans, traced, within, type Span } from "../../../provider/api/trace";
import { lifecycles } from "../../../provider/resources";
import { service } from "../../support/fixtures";
import { closeSimulations, simulate } from "../../support/simulation";

let spans: Span[];
beforeEach(() => {
    spans = [];
    receiveSpans((span) => spans.push(span));
});
afterEach(() => receiveSpans(undefined));
afterEach(closeSimulations);

test("spans form a tree, also for concurrent work", async () => {
    const leaf = (name: string) => traced(name, {}, () => Promise.resolve());
    const branch = (name: string) => traced(name, {}, () => leaf(`${name} leaf`));
    await within({ traceId: "f".repeat(32), id: "e".repeat(16) }, () => Promise.all([branch("a"), branch("b")]));
    const idOf = (name: string) => spans.find((one) => one.name === name)?.id;
    expect(spans.map(({ name, parentId }) => [name, parentId])).toEqual(
        expect.arrayContaining([
            ["a leaf", idOf("a")],
            ["b leaf", idOf("b")],
            ["a", "e".repeat(16)],
            ["b", "e".repeat(16)],
        ]),
    );
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(["f".repeat(32)]));
    for (const { id, beganAt, endedAt } of spans) {
        expect(id).toMatch(/^[0-9a-f]{16}$/);
        expect(endedAt).toBeGreaterThanOrEqual(beganAt);
    }
});

test("a span of failed work has the kind of the error, not its message", async () => {
    const error = Object.assign(new TypeError("about a secret"), { status: 503 });
    await expect(traced("request", {}, () => Promise.reject(error))).rejects.toBe(error);
    expect(spans).toMatchObject([{ name: "request", error: "TypeError 503" }]);
});

test("nothing is recorded without a receiver", async () => {
    receiveSpans(undefined);
    await traced("request", {}, () => Promise.resolve());
    expect(spans).toEqual([]);
});

test("an operation contains spans for its steps, waits, requests, attempts and pauses, without secrets", async () => {
    const world = await simulate({ faults: ["createService:429,retryAfterMs=1000", "stopService:503"] });
    const { Service } = lifecycles;
    const password = "canary-password";
    const create = () => Service.create(service({ name: "canary-name", password, paused: true }), world.run());
    await traced("create Service", {}, create);
    const named = (name: string) => spans.filter((one) => one.name === name);
    const parentOf = (child: Span | undefined) => spans.find(({ id }) => id === child?.parentId)?.name;
    const [failed, repeated] = named("attempt").filter((one) => parentOf(one) === "request stopService");
    expect(failed).toMatchObject({ error: "ApiError 503" });
    expect(repeated).toMatchObject({ error: undefined });
    expect(parentOf(named("request createService")[0])).toBe("create Service");
    expect(parentOf(named("pause before a retry")[0])).toBe("request createService");
    expect(parentOf(named("request stopService")[0])).toBe("step stopService");
    expect(named("wait until ready").map(parentOf)).toContain("step stopService");
    expect(JSON.stringify(spans)).not.toMatch(/canary|emulator01/);
    expect(JSON.stringify(spans)).not.toContain(world.emulator.token);
});

import type { EmulatorOptions } from "../../../../emulator";
import { requestTo, startWorld } from "../../../support/emulator";

const start = async (options: EmulatorOptions) => {
    const { emulator, clock, project } = await startWorld(options);
    const call = async (method: string, path: string) => {
        const { status, headers } = await requestTo(emulator, `${method} /v1${path}`);
        return { status, retryAfter: headers["retry-after"] };
    };
    /** The statuses of this number of consecutive calls. */
    const statuses = async (count: number, path = `${project}/vpcs`) => {
        const seen: number[] = [];
        for (let index = 0; index < count; index++) {
            seen.push((await call("GET", path)).status);
        }
        return seen;
    };
    return { emulator, clock, project, call, statuses };
};

it.each([
    ["listVpcs:503", [503, 200, 200, 200, 200]],
    ["listVpcs#2:503", [200, 503, 200, 200, 200]],
    ["listVpcs#2x2:503", [200, 503, 503, 200, 200]],
    ["listVpcs#3+:503", [200, 200, 503, 503, 503]],
    ["GET#2:503", [200, 503, 200, 200, 200]],
    ["*#1+:503", [503, 503, 503, 503, 503]],
    ["listServices#1+:503", [200, 200, 200, 200, 200]],
    ["POST#1+:503", [200, 200, 200, 200, 200]],
])("a fault with %s hits the matching calls", async (fault, expected) => {
    const { statuses } = await start({ faults: [fault] });
    expect(await statuses(5)).toEqual(expected);
});

it("a fault hits each call with its probability, and the same calls for the same seed", async () => {
    const run = async (seed: number) => (await start({ faults: ["GET#@0.2:503"], seed })).statuses(500);
    const [first, again, other] = [await run(1), await run(1), await run(2)];
    const hits = first.filter((status) => status === 503).length;
    expect(hits).toBeGreaterThan(60);
    expect(hits).toBeLessThan(140);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
});

it("a fault of a resource hits only calls with its id in the path", async () => {
    const world = await startWorld();
    const [a, b] = [await world.readyService({ name: "a" }), await world.readyService({ name: "b" })];
    world.emulator.addFaults([`GET/${a.service_id}:503`, `*/${b.service_id}#1+:409`]);
    const read = async (id: string) => (await world.api("GET", `${world.project}/services/${id}`)).status;
    expect(await read(b.service_id)).toBe(409);
    expect((await world.api("GET", `${world.project}/services`)).status).toBe(200);
    expect([await read(a.service_id), await read(a.service_id)]).toEqual([503, 200]);
    expect(world.emulator.faults().map(({ fault, hits }) => [fault, hits])).toEqual([
        [`GET/${a.service_id}:503`, 1],
        [`*/${b.service_id}#1+:409`, 1],
    ]);
});

it("a fault has a random one of several effects", async () => {
    const { statuses } = await start({ faults: ["GET#@1:500|502|503"] });
    expect(new Set(await statuses(50))).toEqual(new Set([500, 502, 503]));
});

it("a fault hits a call together with other faults, and the first fault is outermost", async () => {
    const { call, clock, project } = await start({ faults: ["GET:delay,ms=50", "GET:502"] });
    const before = clock.now();
    expect((await call("GET", `${project}/vpcs`)).status).toBe(502);
    expect(clock.now() - before).toBe(50);
});

it("a fault hits no call with an invalid token", async () => {
    const { emulator } = await start({ faults: ["*#1+:503"] });
    const answer = await emulator.handle({ method: "GET", path: "/v1/projects", headers: {} });
    expect(answer.status).toBe(401);
});

it("the faults of an emulator are counted, added, removed, and restored by a reset", async () => {
    const { emulator, statuses } = await start({ faults: ["listVpcs#1x2:503"] });
    expect(await statuses(3)).toEqual([503, 503, 200]);
    emulator.addFaults(["listVpcs:502"]);
    expect(await statuses(1)).toEqual([502]);
    expect(emulator.faults()).toEqual([
        { fault: "listVpcs#1x2:503", hits: 2 },
        { fault: "listVpcs:502", hits: 1 },
    ]);
    emulator.clearFaults();
    expect(emulator.faults()).toEqual([]);
    expect(await statuses(2)).toEqual([200, 200]);
    emulator.reset();
    expect(await statuses(3)).toEqual([503, 503, 200]);
});

it.each([
    { rate: 2, first: [200, 200, 429], retryAfter: "1", intervalMs: 500 },
    { rate: 0.1, first: [200, 429], retryAfter: "10", intervalMs: 10_000 },
])("a rate of $rate accepts this number of requests per second until it is removed", async (given) => {
    const { call, clock, emulator, project, statuses } = await start({ rate: given.rate });
    expect(await statuses(given.first.length)).toEqual(given.first);
    expect((await call("GET", `${project}/vpcs`)).retryAfter).toBe(given.retryAfter);
    clock.advance(given.intervalMs);
    expect(await statuses(2)).toEqual([200, 429]);
    clock.advance(60_000);
    expect(await statuses(given.first.length)).toEqual(given.first);
    emulator.setRate();
    expect(await statuses(3)).toEqual([200, 200, 200]);
    expect(() => emulator.setRate(0)).toThrow("perSecond");
});

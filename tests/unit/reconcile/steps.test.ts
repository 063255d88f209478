import type { Interceptor } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { failure, linesOf, operations, service } from "../../support/fixtures";
import { withService } from "../../support/withService";

const { Service } = lifecycles;
const minute = 60_000;

/** Modifies the responses that the provider receives. */
const rewritten =
    (change: (item: Record<string, unknown>) => object): Interceptor =>
    async (_, carryOut) => {
        const response = await carryOut();
        const body = JSON.parse(response.body) as Record<string, unknown> | Record<string, unknown>[];
        const next = Array.isArray(body) ? body.map(change) : change(body);
        return { ...response, body: JSON.stringify(next) };
    };

const withoutResources = rewritten((item) => ({ ...item, resources: [] }));
const normalized = rewritten((item) => ({ ...item, metadata: { environment: "production" } }));

describe("ineffective steps", () => {
    it.each([
        {
            reason: "resources that stay empty",
            reads: withoutResources,
            change: { cpuMillis: 1000, memoryGbs: 4 },
            says: "(cpuMillis is none, declared 1000; memoryGbs is none, declared 4)",
            sends: ["resizeService"],
        },
        {
            reason: "an environment that the API normalizes",
            reads: normalized,
            change: { environment: "PROD" } as const,
            says: '(environment is "production", declared "PROD")',
            sends: ["setEnvironment"],
        },
    ])(
        "a step without a visible effect fails within a minute and names property, declared and found: $reason",
        async ({ reads, change, says, sends }) => {
            const { world, id, state } = await withService(service(), { durations: { resize: 1_000 } });
            world.fault.at("getService", reads);
            const beganAt = world.clock.now();
            const failed = await failure(Service.update(id, state, service(change), world.run()));
            expect(failed.message).toContain(says);
            expect(world.clock.now() - beganAt).toBeLessThan(minute);
            expect(operations(world)).toEqual(sends);
        },
    );

    it("a step without a visible effect fails in every run until its effect shows", async () => {
        const { world, id, state } = await withService();
        world.fault.at("getService", withoutResources);
        const declared = service({ cpuMillis: 1000, memoryGbs: 4 });
        const first = await failure(Service.update(id, state, declared, world.run()));
        world.changes();
        const second = await failure(Service.update(id, first.state as typeof state, declared, world.run()));
        expect(second.message).toContain("cpuMillis");
        expect(operations(world)).toEqual(["resizeService"]);
        world.fault.over();
        const next = await Service.update(id, second.state as typeof state, declared, world.run());
        expect(linesOf(Service.plan(next, declared))).toEqual([]);
    });

    it("a change that takes a long time or becomes visible late does not count as ineffective", async () => {
        const { world, id, state } = await withService(service(), {
            durations: { resize: 5 * minute, staleRead: 30_000 },
        });
        const next = await Service.update(id, state, service({ cpuMillis: 1000, memoryGbs: 4 }), world.run());
        expect(next).toMatchObject({ cpuMillis: 1000 });
    });
});

test("the same plan after its steps succeeded is an error, and not the plan of every run", async () => {
    const { world, id, state } = await withService();
    // Another client reverts the tag while the next step runs.
    world.fault.at("stopService", (_, carryOut) => {
        world.emulator.updateService(id, { environment: "DEV" });
        return carryOut();
    });
    const declared = service({ environment: "PROD", paused: true });
    const failed = await failure(Service.update(id, state, declared, world.run()));
    expect(failed.message).toContain(
        '(environment is "DEV", declared "PROD"). The effect was visible before: something else reverted it.',
    );
    expect(operations(world)).toEqual(["setEnvironment", "stopService"]);
});

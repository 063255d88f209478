import type { Interceptor } from "../../../emulator";
import { operations, service } from "../../support/fixtures";
import { withService } from "../../support/withService";

const minute = 60_000;
const larger = service({ cpuMillis: 1000, memoryGbs: 4 });

/** Modifies the responses that the provider receives. */
const rewritten =
    (change: (item: Record<string, unknown>) => object): Interceptor =>
    async (_, carryOut) => {
        const response = await carryOut();
        const body = JSON.parse(response.body) as Record<string, unknown> | Record<string, unknown>[];
        const next = Array.isArray(body) ? body.map(change) : change(body);
        return { ...response, body: JSON.stringify(next) };
    };

it.each([
    {
        reason: "resources that stay empty",
        reads: rewritten((item) => ({ ...item, resources: [] })),
        declared: larger,
        says: "(cpuMillis is not shown, declared 1000; memoryGbs is not shown, declared 4)",
        sends: ["resizeService"],
    },
    {
        reason: "an environment that the API normalizes",
        reads: rewritten((item) => ({ ...item, metadata: { environment: "production" } })),
        declared: service({ environment: "PROD" }),
        says: '(environment is "production", declared "PROD")',
        sends: ["setEnvironment"],
    },
])(
    "a step without a visible effect fails within a minute, in every run until its effect shows: $reason",
    async ({ reads, declared, says, sends }) => {
        const { world, fails, update, lines } = await withService(service(), { durations: { resize: 1_000 } });
        world.fault.at("getService", reads);
        const beganAt = world.clock.now();
        const first = await fails(declared);
        expect(world.clock.now() - beganAt).toBeLessThan(minute);
        expect(first.message).toContain(says);
        expect(operations(world)).toEqual(sends);
        const second = await fails(declared, { from: first.state });
        expect(second.message).toContain(says);
        expect(operations(world)).toEqual(sends);
        world.fault.over();
        expect(lines(declared, await update(declared, { from: second.state }))).toEqual([]);
    },
);

it("a change that takes a long time or becomes visible late does not count as ineffective", async () => {
    const { update } = await withService(service(), { durations: { resize: 5 * minute, staleRead: 30_000 } });
    expect(await update(larger)).toMatchObject({ cpuMillis: 1000 });
});

test("the same plan after its steps succeeded is an error, and not the plan of every run", async () => {
    const { world, id, fails } = await withService();
    // Another client reverts the tag while the next step runs.
    world.fault.at("stopService", (_, carryOut) => {
        world.emulator.updateService(id, { environment: "DEV" });
        return carryOut();
    });
    const { message } = await fails(service({ environment: "PROD", paused: true }));
    expect(message).toContain(
        '(environment is "DEV", declared "PROD"). The effect was visible before: something else reverted it.',
    );
    expect(operations(world)).toEqual(["setEnvironment", "stopService"]);
});

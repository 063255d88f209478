import { network, service } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import { startWaiting } from "../../support/waiting";

const { Service, Vpc } = lifecycles;

/** The API completes each change at once, and a request takes no time. Returns how long an operation waits. */
async function atOnce() {
    const world = await simulate();
    const none = Object.fromEntries(Object.keys(world.emulator.durations()).map((name) => [name, 0]));
    world.emulator.setDurations(none);
    const waited = async <T>(work: Promise<T>) => {
        const beganAt = world.clock.now();
        const result = await work;
        return { ms: world.clock.now() - beganAt, result };
    };
    return { world, waited };
}

it("a creation, a change and a deletion that are complete when accepted cost little beyond their requests", async () => {
    const { world, waited } = await atOnce();
    const declared = service({ deletionProtection: false });
    const created = await waited(Service.create(declared, world.run()));
    const { id, state } = created.result;
    const updated = await waited(Service.update(id, state, { ...declared, environment: "PROD" }, world.run()));
    world.emulator.clearJournal();
    const deleted = await waited(Service.delete(id, updated.result, world.run()));
    // Two looks at the list come before the request, each after a pause of 20 ms for those who ask at the same time.
    expect(created.ms).toBeLessThanOrEqual(140);
    expect(updated.ms).toBeLessThanOrEqual(100);
    expect(deleted.ms).toBeLessThanOrEqual(150);
    // Two different answers prove that it is gone.
    const reads = world.emulator
        .journal()
        .slice(-3)
        .map(({ operationId }) => operationId);
    expect(reads).toEqual(["deleteService", "getService", "listServices"]);
});

it("so does the deletion of a VPC", async () => {
    const { world, waited } = await atOnce();
    const { id, state } = await Vpc.create(network, world.run());
    expect((await waited(Vpc.delete(id, state, world.run()))).ms).toBeLessThanOrEqual(150);
});

it("with more than a few waits at a time, the first look of the next one is that of all", async () => {
    const { clock, things, begin } = startWaiting();
    Array.from({ length: 8 }, (_, index) => begin(`other-${index}`));
    things.put("a", "READY");
    const { fate } = begin("a");
    await clock.advance(200);
    expect(fate.state).toBe("pending");
    await clock.advance(40);
    expect(fate.state).toBe("resolved");
    await clock.advance(60_000);
});

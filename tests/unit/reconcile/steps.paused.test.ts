import { lifecycles } from "../../support/lifecycles";
import { failure, operations, pause, service } from "../../support/fixtures";
import { withService } from "../../support/withService";

const { Service } = lifecycles;
const minute = 60_000;

const changes = [
    ["updatePassword", { password: "another-password" }],
    ["setEnvironment", { environment: "PROD" }],
    ["enablePooler", { connectionPooler: true }],
] as const;

const paused = service({ paused: true });

describe.each(changes)("a paused service that the program pauses, and %s", (operation, change) => {
    it("at an API that takes it stays paused", async () => {
        const { world, update } = await withService(paused);
        expect(await update({ ...paused, ...change })).toMatchObject({ paused: true });
        expect(operations(world)).toEqual([operation]);
    });

    it("at an API that rejects it with 409 fails at once, and the message leads out in two runs", async () => {
        const { world, fails, update } = await withService(paused, { dialect: "paused-locked" });
        const beganAt = world.clock.now();
        const failed = await fails({ ...paused, ...change });
        expect(world.clock.now() - beganAt).toBeLessThan(10_000);
        expect(failed.message).toContain(`is PAUSED: ${operation} was rejected: 409`);
        expect(failed.message).toContain(
            "Continue: declare paused: false together with this change, run `pulumi up`, then set paused: true again",
        );
        expect(operations(world)).toEqual([]);
        const running = await update({ ...paused, ...change, paused: false }, { from: failed.state });
        expect(await update({ ...paused, ...change }, { from: running })).toMatchObject({ paused: true, ...change });
        expect(operations(world)).toEqual(["startService", operation, "stopService"]);
        expect(world.emulator.snapshot().services).toMatchObject([{ status: "PAUSED" }]);
    });
});

it("a change that needs a running service is made between a resume and a pause", async () => {
    const { world, lines, update } = await withService(paused, { dialect: "paused-locked" });
    const declared = { ...paused, environment: "PROD", cpuMillis: 1000, memoryGbs: 4 } as const;
    expect(lines(declared)).toEqual([
        "resume for as long as the changes take",
        "resize 500m/2GB -> 1000m/4GB, restarts the service",
        "environment DEV -> PROD",
        "pause, connections end",
    ]);
    await update(declared);
    expect(operations(world)).toEqual(["startService", "resizeService", "setEnvironment", "stopService"]);
});

it.each([400, 403])("a %s resumes nothing", async (status) => {
    const { world, fails } = await withService(paused);
    world.emulator.addFaults([`updatePassword#1+:${status}`]);
    await fails({ ...paused, password: "another-password" });
    expect(operations(world)).toEqual([]);
});

it("a service that somebody else has paused is not resumed", async () => {
    const { world, id, fails } = await withService(service(), { dialect: "paused-locked" });
    await pause(world, id);
    const { message } = await fails(service({ environment: "PROD" }));
    expect(message).toContain("PAUSED");
    expect(operations(world)).toEqual([]);
});

it("a run that ends before it has paused the service again says so in the state, and the next one pauses", async () => {
    const { world, lines, fails, update } = await withService(paused);
    const declared = { ...paused, cpuMillis: 1000, memoryGbs: 4 } as const;
    world.emulator.addFaults(["stopService:400"]);
    const failed = await fails(declared);
    expect(failed.state).toMatchObject({ paused: false, cpuMillis: 1000 });
    expect(lines(declared, failed.state)).toEqual(["pause, connections end"]);
    expect(await update(declared, { from: failed.state })).toMatchObject({ paused: true });
    expect(lines(paused, failed.state)).toContain("pause, connections end");
});

it("a run that ends while the service resumes leaves a state from which the next one changes and pauses it", async () => {
    const { world, lines, fails, update } = await withService(paused, { durations: { start: 2 * minute } });
    const declared = { ...paused, cpuMillis: 1000, memoryGbs: 4 } as const;
    const failed = await fails(declared, { timeMs: minute });
    expect(lines(declared, failed.state)).not.toEqual([]);
    expect(await update(declared, { from: failed.state })).toMatchObject({ paused: true, cpuMillis: 1000 });
    expect(world.emulator.snapshot().services).toMatchObject([{ status: "PAUSED" }]);
});

it("an adoption of a paused service fails at such an API with the same way out, although the program does not declare the pause", async () => {
    const { world, id } = await withService(service(), { dialect: "paused-locked" });
    await pause(world, id);
    const adopted = service({ existingId: id, password: "another-password" });
    const failed = await failure(Service.create(adopted, world.run()));
    expect(failed.message).toContain("declare paused: false together with this change");
    const from = failed.state as never;
    const running = await Service.update(id, from, { ...adopted, paused: false }, world.run());
    const state = await Service.update(id, running, { ...adopted, paused: true }, world.run());
    expect(state).toMatchObject({ paused: true, password: "another-password" });
    expect(operations(world)).toEqual(["startService", "updatePassword", "stopService"]);
});

describe("an UNSTABLE service", () => {
    it("gets a change at once, which is complete only when the service is at rest", async () => {
        const { world, id, update } = await withService();
        world.emulator.setServiceStatus(id, "UNSTABLE", 5 * minute);
        const beganAt = world.clock.now();
        await update(service({ environment: "PROD" }));
        const [sent] = world.emulator.changes().filter(({ operationId }) => operationId === "setEnvironment");
        expect(Number(sent?.at) - beganAt).toBeLessThan(2_000);
        expect(world.clock.now() - beganAt).toBeGreaterThanOrEqual(5 * minute);
    });

    it("that rejects a change gets it again once it is at rest", async () => {
        const { world, id, update } = await withService();
        world.emulator.setServiceStatus(id, "UNSTABLE", 20 * minute);
        expect(await update(service({ cpuMillis: 1000, memoryGbs: 4 }))).toMatchObject({ cpuMillis: 1000 });
        expect(world.emulator.changes().filter(({ status }) => status === 409)).toHaveLength(1);
    });
});

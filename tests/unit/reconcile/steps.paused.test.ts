import { lifecycles } from "../../support/lifecycles";
import { operations, pause, service } from "../../support/fixtures";
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

    it("at an API that rejects it with 409 is resumed, changed and paused again by the same run, as the preview says", async () => {
        const { world, update, lines } = await withService(paused, { dialect: "paused-locked" });
        const next = await update({ ...paused, ...change });
        expect(next).toMatchObject({ paused: true, ...change });
        expect(operations(world)).toEqual(["startService", operation, "stopService"]);
        expect(lines({ ...paused, ...change }, next)).toEqual([]);
    });
});

it("a preview has conditional lines for resume and pause, around the changes that the API may reject", async () => {
    const { lines } = await withService(paused);
    expect(lines({ ...paused, name: "new", environment: "PROD", password: "another-password" })).toEqual([
        'rename "orders-390f506" -> "new"',
        "if the API rejects the next change because of the pause: resume for as long as the changes take",
        "set the password",
        "environment DEV -> PROD",
        "if it was resumed: pause, connections end",
    ]);
    const resumed = { ...paused, environment: "PROD", cpuMillis: 1000, memoryGbs: 4 } as const;
    expect(lines(resumed).filter((line) => line.startsWith("if "))).toEqual([]);
    expect(lines(service({ environment: "PROD" })).filter((line) => line.startsWith("if "))).toEqual([]);
});

it("several changes that the API rejects are made between one resume and one pause", async () => {
    const { world, update } = await withService(paused, { dialect: "paused-locked" });
    await update({ ...paused, environment: "PROD", password: "another-password", connectionPooler: true });
    expect(operations(world)).toEqual([
        "startService",
        "updatePassword",
        "enablePooler",
        "setEnvironment",
        "stopService",
    ]);
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
    const { world, lines, fails, update } = await withService(paused, { dialect: "paused-locked" });
    const declared = { ...paused, environment: "PROD" } as const;
    world.emulator.addFaults(["stopService:400"]);
    const failed = await fails(declared);
    expect(failed.state).toMatchObject({ paused: false, environment: "PROD" });
    expect(lines(declared, failed.state)).toEqual(["pause, connections end"]);
    expect(await update(declared, { from: failed.state })).toMatchObject({ paused: true });
    expect(lines(paused, failed.state)).toContain("pause, connections end");
});

it("a run that ends while the service resumes leaves a state from which the next one changes and pauses it", async () => {
    const { world, lines, fails, update } = await withService(paused, {
        dialect: "paused-locked",
        durations: { start: 2 * minute },
    });
    const declared = { ...paused, environment: "PROD" } as const;
    const failed = await fails(declared, { timeMs: minute });
    expect(lines(declared, failed.state)).not.toEqual([]);
    expect(await update(declared, { from: failed.state })).toMatchObject({ paused: true, environment: "PROD" });
    expect(world.emulator.snapshot().services).toMatchObject([{ status: "PAUSED" }]);
});

it("a service that was adopted while it was paused is paused again, although the program does not declare that", async () => {
    const { world, id } = await withService(service(), { dialect: "paused-locked" });
    await pause(world, id);
    const adopted = service({ existingId: id });
    const { state } = await Service.create({ ...adopted, password: "another-password" }, world.run());
    expect(state).toMatchObject({ paused: true });
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

import { lifecycles } from "../../../support/lifecycles";
import { failure, linesOf, operations, pause, projectId, saying, service } from "../../../support/fixtures";
import { simulate } from "../../../support/simulation";

const { Service } = lifecycles;

/** No answer ever shows a size. */
const never = saying((item) => ({ ...item, resources: [] }));

const small = service({ cpuMillis: 500, memoryGbs: 2 });
const large = service({ cpuMillis: 1000, memoryGbs: 4 });

it("a size that no answer shows is the declared one after a creation, and a resize is planned and sent", async () => {
    const world = await simulate({ dialect: "sizes-hidden" });
    const { id, state } = await Service.create(small, world.run());
    expect(state).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });
    expect(linesOf(Service.plan(state, small))).toEqual([]);
    const refreshed = await Service.read(id, state, world.run());
    expect(refreshed?.state).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });

    expect(linesOf(Service.plan(state, large))).toEqual([expect.stringContaining("resize 500m/2GB -> 1000m/4GB")]);
    // Nothing shows whether it took effect.
    const { message } = await failure(Service.update(id, state, large, world.run()));
    expect(message).toContain("cpuMillis is not shown, declared 1000");
    expect(operations(world)).toEqual(["createService", "resizeService"]);
});

it("also after an interrupted creation", async () => {
    const world = await simulate({ dialect: "sizes-hidden", durations: { create: 60_000 } });
    const { id, state } = await failure(Service.create(small, world.run({ timeMs: 20_000 })));
    const updated = await Service.update(id, state as never, small, world.run());
    expect(updated).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });
    expect(operations(world)).toEqual(["createService"]);
});

it("a size that an answer has shown otherwise is a difference", async () => {
    const other = saying((item) => ({ ...item, resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }] }));
    let answers = 0;
    const world = await simulate({
        intercept: (exchange, carryOut) => {
            answers += exchange.operationId === "getService" ? 1 : 0;
            return (answers === 1 ? other : never)(exchange, carryOut);
        },
    });
    const { message } = await failure(Service.create(small, world.run()));
    expect(message).toContain("without lasting effect");
});

it("a paused service whose answers show an empty size keeps the size last known", async () => {
    const world = await simulate({ dialect: "paused-sizeless" });
    const declared = service({ cpuMillis: 500, memoryGbs: 2, paused: true });
    const { id, state } = await Service.create(declared, world.run());
    expect(state).toMatchObject({ cpuMillis: 500, memoryGbs: 2, paused: true });
    expect((await Service.read(id, state, world.run()))?.state).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });
    expect(linesOf(Service.plan(state, declared))).toEqual([]);
    await Service.update(id, state, { ...declared, environment: "PROD" }, world.run());
    expect(operations(world)).not.toContain("resizeService");
});

it("it is shared if no size is known", async () => {
    const world = await simulate({ dialect: "paused-sizeless" });
    const { id } = await Service.create(small, world.run());
    await pause(world, id);
    const { state } = await Service.import(id, { projectId }, world.run());
    expect(state).toMatchObject({ cpuMillis: "shared", memoryGbs: "shared" });
});

import { lifecycles } from "../../support/lifecycles";
import { partsOf } from "../../../provider/api/callErrors";
import { labelsOf, pause, replicaSet, respond, service, timed } from "../../support/fixtures";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;
const minute = 60_000;

const large = service({ cpuMillis: 4000, memoryGbs: 16 });
const busy = { status: 409, headers: {}, body: '{"code":"BUSY","message":"another change is in progress"}' };

test("a change that the API rejects succeeds if it is already in effect", async () => {
    const { world, id, update } = await withService();
    world.fault.at("setHA", () => {
        world.emulator.updateService(id, { replicaCount: 1 });
        return Promise.resolve(busy);
    });
    const { error, tookMs } = await timed(world, () => update(service({ replicaCount: 1 })));
    expect(error).toBeUndefined();
    expect(tookMs).toBeLessThan(minute);
});

test.each([1, 3, 10, 20])(
    "an update that the API rejects until its time limit of %d s names the rejection",
    async (seconds) => {
        const { world, fails } = await withService();
        world.fault.at("resizeService", respond(409, busy.body));
        const error = await fails(large, { timeMs: seconds * 1_000 });
        expect(error.message).toContain("another change is in progress");
        expect(partsOf(error).details).toMatch(/^resizeService\b/);
    },
);

test("an update that is rejected while the platform maintains the service succeeds after what Retry-After says", async () => {
    const { world, update } = await withService();
    const beganAt = world.run().clock.now();
    world.fault.at("resizeService", (_, carryOut) =>
        world.run().clock.now() - beganAt < 4 * minute
            ? Promise.resolve({ ...busy, headers: { "retry-after": "20" } })
            : carryOut(),
    );
    world.emulator.clearJournal();
    await update(large);
    expect(world.emulator.journal().filter(({ operationId }) => operationId === "resizeService")).toHaveLength(13);
    expect(world.statusLines.join("\n")).toContain("another change is in progress");
});

test("a rejected update without a visible reason fails after five minutes with the reason", async () => {
    const { world, update } = await withService();
    world.fault.at("resizeService", respond(409, '{"code":"QUOTA","message":"quota exceeded"}'));
    world.emulator.clearJournal();
    const { error, tookMs } = await timed(world, () => update(large));
    expect(error).toMatchObject({ cause: { cause: { status: 409, code: "QUOTA" } } });
    expect(tookMs).toBeGreaterThan(5 * minute);
    expect(tookMs).toBeLessThan(5.5 * minute);
    expect(world.emulator.journal().filter(({ method }) => method !== "GET")).toHaveLength(22);
    expect(world.statusLines.join("\n")).toContain("quota");
});

test("a rejection is retried for as long as the service is busy again and again, a second after each time", async () => {
    const { world, id } = await withService();
    let rejections = 0;
    world.fault.at("forkService", (_, carryOut) => {
        if (rejections === 12) {
            return carryOut();
        }
        rejections += 1;
        world.emulator.setServiceStatus(id, "UPGRADING", minute / 2);
        return Promise.resolve(busy);
    });
    await Service.create(service({ name: "copy", fork: { serviceId: id, strategy: "NOW" } }), world.run());
    expect(rejections).toBe(12);
});

type Parts = Awaited<ReturnType<typeof withService>>;

const needing: Readonly<Record<string, (parts: Parts) => Promise<() => Promise<unknown>>>> = {
    "a fork": async ({ world, id }) => {
        await pause(world, id);
        const fork = service({ name: "copy", fork: { serviceId: id, strategy: "NOW" } });
        return () => Service.create(fork, world.run({ timeMs: 12 * 60 * minute }));
    },
    "a new read replica set": async ({ world, id }) => {
        await pause(world, id);
        return () => ReadReplicaSet.create(replicaSet(id), world.run());
    },
    "a resize of a read replica set": async ({ world, id }) => {
        const set = await ReadReplicaSet.create(replicaSet(id), world.run());
        await pause(world, id);
        return () => ReadReplicaSet.update(set.id, set.state, { ...replicaSet(id), nodes: 2 }, world.run());
    },
};

test.each(Object.entries(needing))(
    "%s of a paused service fails at once, and names the service",
    async (_, prepare) => {
        const parts = await withService();
        const work = await prepare(parts);
        const { error, tookMs } = await timed(parts.world, work);
        expect(error?.message).toContain(parts.id);
        expect(error?.message).toContain("PAUSED");
        expect(labelsOf(error)).not.toEqual([]);
        expect(tookMs).toBeLessThan(5_000);
    },
);

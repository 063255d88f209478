import { lifecycles } from "../../support/lifecycles";
import { partsOf } from "../../../provider/api/callErrors";
import { labelsOf, pause, replicaSet, respond, service, timed } from "../../support/fixtures";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;
const minute = 60_000;

test("a change that the API rejects succeeds if it is already in effect", async () => {
    const { world, id, state } = await withService();
    world.fault.at("setHA", () => {
        world.emulator.updateService(id, { replicaCount: 1 });
        return Promise.resolve({ status: 409, headers: {}, body: '{"code":"CONFLICT","message":"nothing to change"}' });
    });
    const update = () => Service.update(id, state, service({ replicaCount: 1 }), world.run());
    const { error, tookMs } = await timed(world, update);
    expect(error).toBeUndefined();
    expect(tookMs).toBeLessThan(minute);
});

test.each([1, 3, 10, 20])(
    "an update that the API rejects until its time limit of %d s names the rejection",
    async (seconds) => {
        const { world, id, state } = await withService();
        const reason = "another change is in progress";
        world.fault.at("resizeService", respond(409, JSON.stringify({ code: "BUSY", message: reason })));
        const large = service({ cpuMillis: 4000, memoryGbs: 16 });
        const update = () => Service.update(id, state, large, world.run({ timeMs: seconds * 1_000 }));
        const { error } = await timed(world, update);
        expect(error?.message).toContain(reason);
        expect(partsOf(error).details).toMatch(/^resizeService\b/);
    },
);

describe("permanent rejections", () => {
    it("an update that is rejected while the platform maintains the service succeeds afterwards, after what Retry-After says", async () => {
        const { world, id, state } = await withService();
        const headers = { "retry-after": "20" };
        const reason = "the service is being maintained";
        const body = JSON.stringify({ code: "MAINTENANCE", message: reason });
        const beganAt = world.run().clock.now();
        world.fault.at("resizeService", (_, carryOut) =>
            world.run().clock.now() - beganAt < 4 * minute
                ? Promise.resolve({ status: 409, headers, body })
                : carryOut(),
        );
        world.emulator.clearJournal();
        const large = service({ cpuMillis: 4000, memoryGbs: 16 });
        const { error } = await timed(world, () => Service.update(id, state, large, world.run()));
        expect(error).toBeUndefined();
        expect(world.emulator.journal().filter(({ operationId }) => operationId === "resizeService")).toHaveLength(13);
        expect(world.statusLines.join("\n")).toContain(reason);
    });

    it("a rejected update without a visible reason fails after five minutes with the reason", async () => {
        const { world, id, state } = await withService();
        world.fault.at("resizeService", respond(409, '{"code":"QUOTA","message":"quota exceeded"}'));
        world.emulator.clearJournal();
        const large = service({ cpuMillis: 4000, memoryGbs: 16 });
        const { error, tookMs } = await timed(world, () => Service.update(id, state, large, world.run()));
        expect(error).toMatchObject({ cause: { cause: { status: 409, code: "QUOTA" } } });
        expect(tookMs).toBeGreaterThan(5 * minute);
        expect(tookMs).toBeLessThan(5.5 * minute);
        expect(world.emulator.journal().filter(({ method }) => method !== "GET")).toHaveLength(22);
        expect(world.statusLines.join("\n")).toContain("quota");
    });

    const needing: Readonly<
        Record<string, (parts: Awaited<ReturnType<typeof withService>>) => Promise<() => Promise<unknown>>>
    > = {
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
            const larger = { ...replicaSet(id), nodes: 2 };
            return () => ReadReplicaSet.update(set.id, set.state, larger, world.run());
        },
    };

    it.each(Object.entries(needing))(
        "%s of a paused service fails at once, and names the service",
        async (_, prepare) => {
            const parts = await withService();
            const { world, id } = parts;
            const work = await prepare(parts);
            const { error, tookMs } = await timed(world, work);
            expect(error?.message).toContain(id);
            expect(error?.message).toContain("PAUSED");
            expect(labelsOf(error)).not.toEqual([]);
            expect(tookMs).toBeLessThan(5_000);
        },
    );
});

describe("temporary rejections", () => {
    it("a rejection is retried for as long as the service is busy again and again, a second after each time", async () => {
        const { world, id } = await withService();
        let rejections = 0;
        world.fault.at("forkService", (_, carryOut) => {
            if (rejections === 12) {
                return carryOut();
            }
            rejections += 1;
            world.emulator.setServiceStatus(id, "UPGRADING", minute / 2);
            return Promise.resolve({
                status: 409,
                headers: {},
                body: '{"code":"BUSY","message":"the service is busy"}',
            });
        });
        const fork = service({ name: "copy", fork: { serviceId: id, strategy: "NOW" } });
        const { error } = await timed(world, () => Service.create(fork, world.run()));
        expect(error).toBeUndefined();
        expect(rejections).toBe(12);
    });
});

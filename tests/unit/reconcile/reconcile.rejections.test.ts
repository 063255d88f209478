import { lifecycles } from "../../support/lifecycles";
import { call, failure, network, operations, replicaSet, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service, Vpc } = lifecycles;
const minute = 60_000;

/** The result of the work, and its duration on the simulated clock. */
async function timed<T>({ clock }: Simulation, work: Promise<T>): Promise<{ result: T; tookMs: number }> {
    const beganAt = clock.now();
    const result = await work;
    return { result, tookMs: clock.now() - beganAt };
}

const rejection = (work: Promise<unknown>) =>
    work.then(
        () => new Error("it succeeded"),
        (error: unknown) => error as Error,
    );

/** Pauses a service outside of the program. */
async function pause(world: Simulation, id: string) {
    await call(world, "stopService", { service_id: id });
    world.clock.advance(minute);
    world.changes();
}

describe("services that were paused outside of the program", () => {
    it.each<[{ paused?: boolean }, string[]]>([
        [{}, ["resume", "HA replicas none -> 1 async"]],
        [{ paused: false }, ["resume", "HA replicas none -> 1 async"]],
        [{ paused: true }, ["resume for as long as the changes take", "HA replicas none -> 1 async", "pause"]],
    ])("a change that needs the service running says that the same command resumes it: %j", async (paused, lines) => {
        const { world, id, state } = await withService();
        await pause(world, id);
        const declared = service({ replicaCount: 1, ...paused });
        const failed = await failure(Service.update(id, state, declared, world.run()));
        expect(failed.message).toContain("it is paused, but must be running");
        expect(failed.message).toContain("\nContinue: repeat `pulumi up`, which resumes the service");
        expect(operations(world)).toEqual([]);

        const { steps } = Service.plan(failed.state as typeof state, declared);
        expect(steps.map(({ text }) => text.replace(/, connections end$/, ""))).toEqual(lines);
        const next = await Service.update(id, failed.state as typeof state, declared, world.run());
        expect(next).toMatchObject({ status: paused.paused === true ? "PAUSED" : "READY", replicaCount: 1 });
    });

    it("the error is the same if the API rejects the change although the service was running a moment ago", async () => {
        const { world, id, state } = await withService();
        world.fault.at(
            "setHA",
            async (_, carryOut) => {
                await call(world, "stopService", { service_id: id });
                world.clock.advance(minute);
                return carryOut();
            },
            1,
        );
        const work = rejection(Service.update(id, state, service({ replicaCount: 1 }), world.run()));
        const { result, tookMs } = await timed(world, work);
        expect(result.message).toContain("repeat `pulumi up`");
        expect(tookMs).toBeLessThan(2 * minute);
        expect(operations(world)).toEqual(["stopService"]);
    });

    it("a service that was paused outside of the program stays paused if no change needs it running", async () => {
        const { world, id, state } = await withService();
        await pause(world, id);
        world.emulator.updateService(id, { replicaCount: 2 });
        await Service.update(id, state, service({ environment: "PROD" }), world.run());
        expect(operations(world)).toEqual(["setEnvironment"]);
        expect(world.infos.join("\n")).toMatch(
            /outside of this program; the next `pulumi up` will: resume; HA replicas/,
        );
    });
});

describe("services that were attached to another VPC outside of the program", () => {
    it.each([
        { before: "none", declared: "third" },
        { before: "first", declared: "third" },
        { before: "first", declared: "none" },
        { before: "first", declared: "strange" },
    ])(
        "a change of the VPC from $before to $declared says that the same command starts from what the API shows",
        async ({ before, declared }) => {
            const world = await simulate();
            const ids: Record<string, string> = {};
            for (const [index, name] of ["first", "strange", "third"].entries()) {
                const net = { ...network, __urn: `${network.__urn}${index}`, cidr: `10.${index}.0.0/16` };
                ids[name] = (await Vpc.create(net, world.run())).id;
            }
            const attachedTo = (name: string) => {
                const vpcId = ids[name];
                return service(vpcId === undefined ? {} : { vpcId });
            };
            const { id, state } = await Service.create(attachedTo(before), world.run());
            world.emulator.updateService(id, { vpcId: ids.strange ?? "" });
            world.changes();
            const failed = await failure(Service.update(id, state, attachedTo(declared), world.run()));
            expect(failed.message).toContain(`vpcId is "${ids.strange ?? ""}", which was set outside of this program`);
            expect(failed.message).toContain("\nContinue: repeat `pulumi up`, which starts from that value");
            expect(world.changes()).toEqual([]);

            const seen = failed.state as typeof state;
            const next = await Service.update(id, seen, attachedTo(declared), world.run());
            expect(next.vpcId).toBe(ids[declared]);
        },
    );

    it("a service that was attached to another VPC outside of the program keeps it when another property changes, and the output reports it", async () => {
        const world = await simulate();
        const strange = await Vpc.create(network, world.run());
        const { id, state } = await Service.create(service(), world.run());
        world.emulator.updateService(id, { vpcId: strange.id });
        world.changes();
        await Service.update(id, state, service({ replicaCount: 1 }), world.run());
        expect(operations(world)).toEqual(["setHA"]);
        expect(world.infos).toEqual([expect.stringContaining(`will: detach from VPC ${strange.id}`)]);
    });
});

test("a change that the API rejects succeeds if it is already in effect", async () => {
    const { world, id, state } = await withService();
    world.fault.at("setHA", () => {
        world.emulator.updateService(id, { replicaCount: 1 });
        return Promise.resolve({ status: 409, headers: {}, body: '{"code":"CONFLICT","message":"nothing to change"}' });
    });
    const { result, tookMs } = await timed(world, Service.update(id, state, service({ replicaCount: 1 }), world.run()));
    expect(result).toMatchObject({ replicaCount: 1 });
    expect(tookMs).toBeLessThan(minute);
});

test.each([1, 3, 10, 20])(
    "an update that the API rejects until its time limit of %d s names the rejection",
    async (seconds) => {
        const { world, id, state } = await withService();
        const busy = { status: 409, headers: {}, body: '{"code":"BUSY","message":"another change is in progress"}' };
        world.fault.at("resizeService", () => Promise.resolve(busy));
        const large = service({ cpuMillis: 4000, memoryGbs: 16 });
        const error = await rejection(Service.update(id, state, large, world.run({ timeMs: seconds * 1_000 })));
        expect(error.message).toMatch(/: resizeService rejected \(another change is in progress\) for /);
        expect(error.message).toContain("\nDetails: resizeService, POST ");
    },
);

describe("permanent rejections", () => {
    it("a rejected change without a visible reason fails within a minute with the reason", async () => {
        const { world, id, state } = await withService();
        const quota = { status: 409, headers: {}, body: '{"code":"QUOTA","message":"quota exceeded"}' };
        world.fault.at("resizeService", () => Promise.resolve(quota));
        world.emulator.clearJournal();
        const large = service({ cpuMillis: 4000, memoryGbs: 16 });
        const { result, tookMs } = await timed(world, rejection(Service.update(id, state, large, world.run())));
        expect(result.message).toMatch(/was rejected: /);
        expect(result.message).toContain("quota exceeded");
        expect(tookMs).toBeLessThan(minute);
        expect(world.emulator.journal().filter(({ method }) => method !== "GET")).toHaveLength(5);
        expect(world.statusLines.join("\n")).toContain("rejected (");
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
            const { result, tookMs } = await timed(world, rejection(work()));
            expect(result.message).toMatch(/^(Service|Read replica set) ".*"( \(\S+\))? needs service /);
            expect(result.message).toContain(`needs service ${id}, which is PAUSED: it is paused, but must be running`);
            expect(result.message).toContain("`pulumi refresh`, then `pulumi up`");
            expect(tookMs).toBeLessThan(5_000);
        },
    );
});

describe("temporary rejections", () => {
    it("a rejection is retried while the service is busy", async () => {
        const { world, id } = await withService(service(), { durations: { setHA: 3 * minute } });
        await call(world, "setHA", { service_id: id }, { replica_count: 1 });
        const fork = service({ name: "copy", fork: { serviceId: id, strategy: "NOW" } });
        const { state } = await Service.create(fork, world.run());
        expect(state).toMatchObject({ status: "READY" });
    });

    it("a rejection is retried while a new fork has no backup for a read replica set", async () => {
        const world = await simulate({ durations: { firstBackup: 3 * minute } });
        const parent = await Service.create(service(), world.run());
        const fork = service({ name: "copy", fork: { serviceId: parent.id, strategy: "NOW" } });
        const { id } = await Service.create(fork, world.run());
        const { state } = await ReadReplicaSet.create(replicaSet(id), world.run());
        expect(state).toMatchObject({ status: "active" });
    });
});

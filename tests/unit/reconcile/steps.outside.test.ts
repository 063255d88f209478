import { call, failure, network, operations, pause, service, timed, withWay } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service, Vpc } = lifecycles;
const minute = 60_000;

/** The error of a change of a paused service. */
const resumes = withWay("Continue", expect.stringContaining("resumes"));

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
        expect(failed).toMatchObject(resumes);
        expect(operations(world)).toEqual([]);

        const { steps } = Service.plan(failed.state as typeof state, declared);
        expect(steps.map(({ title }) => title)).toEqual(lines);
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
        const update = () => Service.update(id, state, service({ replicaCount: 1 }), world.run());
        const { error, tookMs } = await timed(world, update);
        expect(error).toMatchObject(resumes);
        expect(tookMs).toBeLessThan(2 * minute);
        expect(operations(world)).toEqual(["stopService"]);
    });

    it("an update fails within seconds if somebody pauses the service before the change is visible", async () => {
        const { world, id, state } = await withService();
        world.fault.at("resizeService", async () => {
            const body = JSON.stringify(await call(world, "stopService", { service_id: id }));
            return { status: 202, headers: {}, body };
        });
        const larger = service({ cpuMillis: 4000, memoryGbs: 16 });
        const { error, tookMs } = await timed(world, () => Service.update(id, state, larger, world.run()));
        expect(error).toMatchObject(resumes);
        expect(tookMs).toBeLessThan(minute / 2);
    });

    it("a service that was paused outside of the program stays paused if no change needs it running", async () => {
        const { world, id, state } = await withService();
        await pause(world, id);
        world.emulator.updateService(id, { replicaCount: 2 });
        await Service.update(id, state, service({ environment: "PROD" }), world.run());
        expect(operations(world)).toEqual(["setEnvironment"]);
        expect(world.infos).toEqual([expect.stringMatching(/resume;.*replicas/)]);
    });
});

describe("services that were attached to another VPC outside of the program", () => {
    it.each([
        { before: "none", declared: "third" },
        { before: "first", declared: "third" },
        { before: "first", declared: "none" },
        { before: "first", declared: "strange" },
    ])(
        "a change of the VPC from $before to $declared fails, and the same command starts from what the API shows",
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
            expect(world.emulator.snapshot().services[0]?.vpc_endpoint?.vpc_id).toBe(ids.strange);
            expect(failed).toMatchObject(withWay("Continue"));

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
        expect(world.infos).toEqual([expect.stringContaining(strange.id)]);
    });
});

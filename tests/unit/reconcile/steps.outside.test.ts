import { call, failure, network, operations, pause, service, timed, withWay } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service, Vpc } = lifecycles;
const minute = 60_000;

/** The error of a change of a paused service. */
const resumes = withWay("Continue", expect.stringContaining("resumes"));

it.each<[{ paused?: boolean }, string[]]>([
    [{}, ["resume", "HA replicas none -> 1 async"]],
    [{ paused: false }, ["resume", "HA replicas none -> 1 async"]],
    [{ paused: true }, ["resume for as long as the changes take", "HA replicas none -> 1 async", "pause"]],
])("a change that needs the service running says that the same command resumes it: %j", async (paused, lines) => {
    const { world, id, update, fails } = await withService();
    await pause(world, id);
    const declared = service({ replicaCount: 1, ...paused });
    const failed = await fails(declared);
    expect(failed).toMatchObject(resumes);
    expect(operations(world)).toEqual([]);

    const from = failed.state as Parameters<typeof Service.plan>[0];
    expect(Service.plan(from, declared).steps.map(({ title }) => title)).toEqual(lines);
    const status = paused.paused === true ? "PAUSED" : "READY";
    expect(await update(declared, { from })).toMatchObject({ status, replicaCount: 1 });
});

it.each([
    ["rejects the change", minute],
    ["accepts the change, which never becomes visible", 0],
])("the error is the same if somebody pauses the service after the first read, and the API %s", async (_, ms) => {
    const { world, id, update } = await withService();
    world.fault.at(
        "setHA",
        async (_exchange, carryOut) => {
            const body = JSON.stringify(await call(world, "stopService", { service_id: id }));
            world.clock.advance(ms);
            return ms > 0 ? carryOut() : { status: 202, headers: {}, body };
        },
        1,
    );
    const { error, tookMs } = await timed(world, () => update(service({ replicaCount: 1 })));
    expect(error).toMatchObject(resumes);
    expect(tookMs).toBeLessThan(ms + minute);
    expect(operations(world)).toEqual([...(ms > 0 ? [] : ["setHA"]), "stopService"]);
});

it("a service that was paused outside of the program stays paused if no change needs it running", async () => {
    const { world, id, update } = await withService();
    await pause(world, id);
    world.emulator.updateService(id, { replicaCount: 2 });
    await update(service({ environment: "PROD" }));
    expect(operations(world)).toEqual(["setEnvironment"]);
    expect(world.infos).toEqual([expect.stringMatching(/resume;.*replicas/)]);
});

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
        const attachedTo = (name: string) => service(name === "none" ? {} : { vpcId: ids[name] ?? "" });
        const { id, state } = await Service.create(attachedTo(before), world.run());
        world.emulator.updateService(id, { vpcId: ids.strange ?? "" });
        const failed = await failure(Service.update(id, state, attachedTo(declared), world.run()));
        expect(world.emulator.snapshot().services[0]?.vpc_endpoint?.vpc_id).toBe(ids.strange);
        expect(failed).toMatchObject(withWay("Continue"));

        const next = await Service.update(id, failed.state as never, attachedTo(declared), world.run());
        expect(next.vpcId).toBe(ids[declared]);
    },
);

it("a service keeps its strange VPC when another property changes, and the output reports it", async () => {
    const { world, id, update } = await withService();
    const strange = await Vpc.create(network, world.run());
    world.emulator.updateService(id, { vpcId: strange.id });
    world.changes();
    await update(service({ replicaCount: 1 }));
    expect(operations(world)).toEqual(["setHA"]);
    expect(world.infos).toEqual([expect.stringContaining(strange.id)]);
});

import { lifecycles } from "../../../support/lifecycles";
import { call, failure, linesOf, network, projectId, refuse, saying, service, timed } from "../../../support/fixtures";
import { simulate } from "../../../support/simulation";

const { Service, Vpc } = lifecycles;

type Shown = Readonly<Record<string, unknown>>;
const isAttached = (item: Shown) => item.status === "READY" && item.vpc_endpoint !== undefined;
const withoutEndpoint = (item: Shown): Shown => ({ ...item, endpoint: undefined });

/** An API that shows a service in a VPC only with the endpoint there. */
const inVpcOnly = saying((item) => (isAttached(item) ? withoutEndpoint(item) : item));

async function start() {
    const world = await simulate({ intercept: inVpcOnly });
    const { id: vpcId } = await Vpc.create(network, world.run());
    world.changes();
    return { world, vpcId, attached: service({ regionCode: "us-east-1", vpcId }) };
}

const none = { host: undefined, port: undefined, connectionString: undefined };

it("a service that is attached to a VPC loses its direct endpoint, and gets it back when it is detached", async () => {
    const { world, vpcId, attached } = await start();
    const open = service({ regionCode: "us-east-1" });
    const { id, state } = await Service.create(open, world.run());
    expect(state.host).toEqual(expect.any(String));
    const inVpc = await Service.update(id, state, attached, world.run());
    expect(inVpc).toMatchObject({ ...none, vpcId, vpcHost: expect.any(String) as string });
    expect(linesOf(Service.plan(inVpc, attached))).toEqual([]);
    expect((await Service.read(id, inVpc, world.run()))?.state).toMatchObject(none);
    expect((await Service.import(id, { projectId }, world.run())).state).toMatchObject({ ...none, vpcId });

    const detached = await Service.update(id, inVpc, open, world.run());
    expect(detached).toMatchObject({
        host: state.host,
        connectionString: expect.stringContaining(String(state.host)) as string,
    });
});

it("a creation with vpcId, and its resumption, do not wait for a host", async () => {
    const { world, attached, vpcId } = await start();
    const { state } = await Service.create(attached, world.run());
    expect(state).toMatchObject(none);

    const second = { ...attached, name: "second" };
    world.fault.at("attachToVPC", refuse);
    const { id, state: partial } = await failure(Service.create(second, world.run()));
    world.fault.over();
    await call(world, "attachToVPC", { service_id: id }, { vpc_id: vpcId });
    const unseen = { ...partial, host: undefined, port: undefined } as never;
    const { error, tookMs } = await timed(world, () => Service.update(id, unseen, second, world.run()));
    expect(error).toBeUndefined();
    expect(tookMs).toBeLessThan(120_000);
});

it.each<[string, (item: Shown) => Shown]>([
    ["that is not ready", (item) => withoutEndpoint({ ...item, status: "OPTIMIZING" })],
    ["without a VPC", (item) => withoutEndpoint({ ...item, vpc_endpoint: undefined, vpcEndpoint: undefined })],
])("an answer %s and without an endpoint says nothing of it", async (_, say) => {
    const { world } = await start();
    const { id, state } = await Service.create(service(), world.run());
    world.fault.at("getService", saying(say));
    expect((await Service.read(id, state, world.run()))?.state.host).toBe(state.host);
});

import { predictUpdate } from "../../../provider/lifecycle/prediction";
import type { Kind, Stored } from "../../../provider/contract/resource";
import { unknown } from "../../../provider/inputs/unknown";
import { resources } from "../../../provider/resources";
import { EngineCalls, lifecycles } from "../../support/lifecycles";
import { sessionsOn } from "../../support/hosts";
import { simulate } from "../../support/simulation";

// The platform moves the endpoints of a service and of its replica sets with an attachment to a VPC, and with its end.

type Values = Readonly<Record<string, unknown>>;

const urn = (type: string) => `urn:pulumi:dev::shop::clouddb:index:${type}::it`;

async function start() {
    const world = await simulate({ movingEndpoints: true });
    const { lines, startSession } = sessionsOn(world);
    /** One run of the engine: both resources are in one process of the provider. */
    const run = () => {
        const session = startSession();
        return {
            network: new EngineCalls(lifecycles.Vpc, session) as unknown as EngineCalls<Kind>,
            service: new EngineCalls(lifecycles.Service, session) as unknown as EngineCalls<Kind>,
            set: new EngineCalls(lifecycles.ReadReplicaSet, session) as unknown as EngineCalls<Kind>,
        };
    };
    const up = async (calls: EngineCalls<Kind>, type: string, inputs: Values, entry?: Stored<Kind>) => {
        const { inputs: declared, problems } = calls.check(
            { __urn: urn(type), ...inputs },
            (entry?.state ?? {}) as never,
        );
        expect(problems).toEqual([]);
        if (entry === undefined) {
            return { entry: await calls.create(declared), changes: true };
        }
        const { changes } = calls.diff(entry.id, entry.state, declared);
        return { entry: changes ? await calls.update(entry.id, entry.state, declared) : entry, changes };
    };
    const vpc = await up(run().network, "Vpc", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
    const ofSet = (id: string) => ({ serviceId: id, cpuMillis: 500, connectionPooler: true });
    const { service, set } = run();
    const orders = await up(service, "Service", { connectionPooler: true });
    const reports = await up(set, "ReadReplicaSet", ofSet(orders.entry.id));
    /** What the API shows. */
    const shown = () => {
        const [one] = world.emulator.snapshot().services;
        const [its] = one?.read_replica_sets ?? [];
        const of = (item: typeof one | typeof its) => ({
            host: item?.endpoint?.host,
            port: item?.endpoint?.port,
            poolerHost: item?.connection_pooler?.endpoint?.host,
            poolerPort: item?.connection_pooler?.endpoint?.port,
        });
        return { service: of(one), set: of(its) };
    };
    const attached = { connectionPooler: true, vpcId: vpc.entry.id };
    return { run, up, lines, shown, attached, orders: orders.entry, reports: reports.entry, ofSet };
}

it("an attachment updates the endpoints of the service and of its replica set in the same run, as does its end", async () => {
    const { run, up, shown, attached, ofSet, ...created } = await start();
    let { orders, reports } = created;
    for (const declared of [attached, { connectionPooler: true }]) {
        const before = shown();
        const { service, set } = run();
        ({ entry: orders } = await up(service, "Service", declared, orders));
        ({ entry: reports } = await up(set, "ReadReplicaSet", ofSet(orders.id), reports));
        expect(shown()).not.toEqual(before);
        expect(orders.state).toMatchObject(shown().service);
        expect(reports.state).toMatchObject(shown().set);
        const next = run();
        expect((await up(next.service, "Service", declared, orders)).changes).toBe(false);
        expect((await up(next.set, "ReadReplicaSet", ofSet(orders.id), reports)).changes).toBe(false);
    }
});

it("a run that ends between the two is followed by one that updates the replica set", async () => {
    const { run, up, shown, attached, orders, reports, ofSet } = await start();
    const moved = await up(run().service, "Service", attached, orders);
    const { service, set } = run();
    expect((await up(service, "Service", attached, moved.entry)).changes).toBe(false);
    const updated = await up(set, "ReadReplicaSet", ofSet(orders.id), reports);
    expect(updated.entry.state).toMatchObject(shown().set);
});

it("a preview does not know the endpoints of both, and says why the replica set is read", async () => {
    const { run, attached, orders, reports, ofSet } = await start();
    const { service, set } = run();
    const { inputs } = service.check({ __urn: urn("Service"), ...attached, vpcId: unknown }, orders.state as never);
    service.diff(orders.id, orders.state, inputs);
    const moved = { host: unknown, port: unknown, poolerHost: unknown, poolerPort: unknown };
    expect(predictUpdate(resources.Service, orders.state as never, inputs as never)).toMatchObject({
        ...moved,
        connectionString: unknown,
        poolerConnectionString: unknown,
    });
    const checked = set.check({ __urn: urn("ReadReplicaSet"), ...ofSet(orders.id) }, reports.state as never);
    const { changes, notices } = set.diff(reports.id, reports.state, checked.inputs);
    expect(changes).toBe(true);
    expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/^the endpoints may move/)]);
});

it("a replica set of an older version shows no change, and follows its service after its next update", async () => {
    const { run, up, attached, orders, reports, ofSet } = await start();
    const old = { ...reports, state: { ...reports.state, __parentHash: undefined } };
    const { service, set } = run();
    await up(service, "Service", { connectionPooler: true }, orders);
    expect((await up(set, "ReadReplicaSet", ofSet(orders.id), old)).changes).toBe(false);
    const { entry } = await up(set, "ReadReplicaSet", { ...ofSet(orders.id), sslMode: "verify-full" }, old);
    const next = run();
    await up(next.service, "Service", attached, orders);
    expect((await up(next.set, "ReadReplicaSet", { ...ofSet(orders.id), sslMode: "verify-full" }, entry)).changes).toBe(
        true,
    );
});

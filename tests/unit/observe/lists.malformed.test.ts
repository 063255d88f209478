import { InvalidResponseError } from "../../../provider/api/callErrors";
import { lifecycles } from "../../support/lifecycles";
import { call, network, operations, peering, replicaSet, service, withWay } from "../../support/fixtures";
import { simulate } from "../../support/simulation";

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;

/** The error of a creation if a malformed entry may be the resource. */
const cannotTell = { cause: expect.any(InvalidResponseError) as unknown };

type Garble = (entries: object[]) => unknown[];

/** A world that can modify the lists that the provider receives. */
async function garbled() {
    const lists: Record<string, Garble | undefined> = {};
    const world = await simulate({
        intercept: async ({ operationId }, carryOut) => {
            const response = await carryOut();
            const garble = lists[operationId] ?? ((entries) => entries);
            return operationId.startsWith("list") && response.status === 200
                ? { ...response, body: JSON.stringify(garble(JSON.parse(response.body) as object[])) }
                : response;
        },
    });
    return { world, lists };
}

const everyList = ["listVpcs", "listPeerings", "listServices", "listReplicaSets"];
/** Adds a malformed entry. */
const withEntry =
    (entry: unknown): Garble =>
    (entries) => [entry, ...entries];
/** Makes the entries malformed. */
const breaking =
    (fields: object): Garble =>
    (entries) =>
        entries.map((entry) => ({ ...entry, ...fields }));

it("a list with a malformed entry of an unrelated resource blocks no creation, read, change or deletion of any kind", async () => {
    const { world, lists } = await garbled();
    const net = await Vpc.create(network, world.run());
    const link = await Peering.create(peering(net.id), world.run());
    const stranger = { id: "999", service_id: "stranger00", name: "stranger", status: null };
    everyList.forEach((operation) => (lists[operation] = withEntry(stranger)));
    const db = await Service.create(service(), world.run());
    const set = await ReadReplicaSet.create(replicaSet(db.id), world.run());
    const changed = { ...replicaSet(db.id), nodes: 2 };
    const next = await ReadReplicaSet.update(set.id, set.state, changed, world.run());
    expect(next).toMatchObject({ nodes: 2, status: "active" });
    expect((await ReadReplicaSet.read(set.id, next, world.run()))?.state).toMatchObject({ nodes: 2 });
    await ReadReplicaSet.delete(set.id, next, world.run());
    await Service.delete(db.id, db.state, world.run());
    await Peering.delete(link.id, link.state, world.run());
    await Vpc.delete(net.id, net.state, world.run());
    const leftOut = (operation: string) => expect.stringContaining(operation) as string;
    expect([...world.warnings].sort()).toEqual([...everyList].sort().map(leftOut));
});

it.each([null, {}, 7, { name: 7, service_id: "stranger00" }])(
    "a malformed entry without a readable name fails the creation, because it may be a duplicate (%j)",
    async (entry) => {
        const { world, lists } = await garbled();
        lists.listServices = withEntry(entry);
        await expect(Service.create(service(), world.run())).rejects.toMatchObject(cannotTell);
        expect(operations(world)).not.toContain("createService");
    },
);

it("a malformed entry with the name of the resource fails the creation", async () => {
    const { world, lists } = await garbled();
    await call(world, "createService", {}, { name: "orders" });
    await call(world, "createVpc", {}, { name: "net", cidr: "10.0.0.0/16", region_code: "us-east-1" });
    operations(world);
    everyList.forEach((operation) => (lists[operation] = breaking({ status: 7, cidr: 7 })));
    await expect(Service.create(service({ name: "orders" }), world.run())).rejects.toMatchObject(cannotTell);
    await expect(Vpc.create({ ...network, name: "net" }, world.run())).rejects.toMatchObject(cannotTell);
    expect(operations(world)).toEqual([]);
});

it("a creation whose response is lost adopts no service while an entry has no readable name", async () => {
    const { world, lists } = await garbled();
    world.emulator.addFaults(["createService:reset-after"]);
    lists.listServices = (entries) => (world.emulator.snapshot().services.length > 0 ? [{}, ...entries] : entries);
    const creation = Service.create(service({ name: "orders" }), world.run());
    await expect(creation).rejects.toMatchObject(withWay("Find out"));
    expect(world.emulator.snapshot().services).toHaveLength(1);
});

import type { Interceptor } from "../../../../emulator";
import { lifecycles } from "../../../support/lifecycles";
import { failure, labelsOf, network, operations, projectId, service, timed } from "../../../support/fixtures";
import { simulate, type Simulation } from "../../../support/simulation";

const { Service, Vpc } = lifecycles;

/** An API that shows a deleted service for ever, with the status DELETED. */
function remembering(): Interceptor {
    const last = new Map<string, object>();
    return async ({ operationId, request }, carryOut) => {
        const response = await carryOut();
        if (operationId === "getService") {
            const id = /[^/]+$/.exec(request.path)?.[0] ?? "";
            const gone = last.get(id);
            if (response.status === 200) {
                last.set(id, JSON.parse(response.body) as object);
            } else if (gone !== undefined) {
                return { status: 200, headers: {}, body: JSON.stringify({ ...gone, status: "DELETED" }) };
            }
        }
        if (operationId === "listServices") {
            const items = JSON.parse(response.body) as { service_id: string }[];
            const ids = items.map(({ service_id: id }) => id);
            const gone = [...last]
                .filter(([id]) => !ids.includes(id))
                .map(([, item]) => ({ ...item, status: "DELETED" }));
            return { ...response, body: JSON.stringify([...items, ...gone]) };
        }
        return response;
    };
}

const attachedTo = (vpcId: string) => service({ regionCode: "us-east-1", vpcId });

async function withDeleted() {
    const world = await simulate({ intercept: remembering() });
    const { id: vpcId, state: ofVpc } = await Vpc.create(network, world.run());
    const { id, state } = await Service.create(attachedTo(vpcId), world.run());
    const { error, tookMs } = await timed(world, () => Service.delete(id, state, world.run()));
    expect(error).toBeUndefined();
    expect(tookMs).toBeLessThan(120_000);
    world.changes();
    return { world, id, state, vpcId, ofVpc };
}

it("a service that stays with the status DELETED is gone: its deletion ends, and a refresh removes it", async () => {
    const { world, id, state } = await withDeleted();
    expect(await Service.read(id, state, world.run())).toBeUndefined();
    await Service.delete(id, state, world.run());
    expect(operations(world)).toEqual([]);
});

it.each<[string, string, (world: Simulation, id: string) => Promise<unknown>]>([
    ["an import", "There is no service", (world, id) => Service.import(id, { projectId }, world.run())],
    [
        "an adoption",
        "there is no such service",
        (world, id) => Service.create(service({ existingId: id }), world.run()),
    ],
])("%s does not find it", async (_, reason, work) => {
    const { world, id } = await withDeleted();
    await expect(work(world, id)).rejects.toThrow(reason);
});

it("an update does not find it, and says how to create it again", async () => {
    const { world, id, state, vpcId } = await withDeleted();
    const larger = { ...attachedTo(vpcId), cpuMillis: 1000, memoryGbs: 4 } as const;
    expect(labelsOf(await failure(Service.update(id, state, larger, world.run())))).toEqual(["Create it again"]);
});

it("it does not prevent the deletion of its VPC, nor a service of the same name", async () => {
    const { world, vpcId, ofVpc } = await withDeleted();
    await Service.create(attachedTo(vpcId), world.run());
    world.emulator.addFaults(["deleteVpc:409"]);
    const { error } = await timed(world, () => Vpc.delete(vpcId, ofVpc, world.run()));
    expect(error?.message).not.toContain("DELETED");
});

it("one answer with DELETED is no proof", async () => {
    const world = await simulate();
    const { id, state } = await Service.create(service(), world.run());
    const once: Interceptor = async (_, carryOut) => {
        const response = await carryOut();
        return { ...response, body: response.body.replace('"READY"', '"DELETED"') };
    };
    world.fault.at("getService", once, 1);
    expect(await Service.read(id, state, world.run())).toMatchObject({ state: { status: "READY" } });
});

import { newPeering } from "../../support/emulator";
import { call, labelsOf, network, replicaSet, service, timed } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate, type Simulation } from "../../support/simulation";

const { ReadReplicaSet, Service, Vpc } = lifecycles;
const minute = 60_000;

/** Deletions that the API rejects, and what the resource has. */
const rejected = {
    VPC: async (world: Simulation) => {
        const net = await Vpc.create(network, world.run());
        const db = await Service.create(service({ name: "in it", vpcId: net.id }), world.run());
        const contents = `service "in it" (${db.id})`;
        return { id: net.id, work: () => Vpc.delete(net.id, net.state, world.run()), contents };
    },
    "VPC with a peering": async (world: Simulation) => {
        const { contents, ...net } = await rejected.VPC(world);
        const { id } = await call(world, "createPeering", { vpc_id: net.id }, newPeering);
        return { ...net, contents: `peering "to vpc-1" (${net.id}/${id}), ${contents}` };
    },
    service: async (world: Simulation) => {
        const { id, state } = await Service.create(service(), world.run());
        const { state: set } = await ReadReplicaSet.create(replicaSet(id), world.run());
        const contents = `read replica set ${JSON.stringify(set.name)} (${id}/${set.replicaSetId})`;
        return { work: () => Service.delete(id, state, world.run()), contents };
    },
};

describe("the deletion of a resource that others need", () => {
    it.each([
        ["VPC", ["In this stack", "Keep what uses it"]],
        ["VPC with a peering", ["In no stack", "In this stack", "Keep what uses it"]],
        ["service", ["In no stack", "In this stack"]],
    ] as [keyof typeof rejected, string[]][])(
        "fails at once for a %s, and names what it has and the ways out, none of which deletes data",
        async (noun, expected) => {
            const world = await simulate({ peerings: "immediate" });
            const { work, contents } = await rejected[noun](world);
            world.changes();
            world.emulator.clearJournal();
            const { error, tookMs } = await timed(world, work);
            expect(tookMs).toBeLessThan(15_000);
            expect(world.emulator.changes()).toHaveLength(1);
            expect(error?.message).toContain(`it has ${contents}`);
            const ways = labelsOf(error).filter((label) => !label.startsWith("Delete"));
            expect(ways.sort()).toEqual(expected);
        },
    );

    it("fails in the same way if only some answers show what the service refers to", async () => {
        const world = await simulate();
        const { work, contents } = await rejected.VPC(world);
        let answers = 0;
        world.fault.at("listServices", async (_, carryOut) => {
            const answer = await carryOut();
            answers += 1;
            const body = answers % 3 === 1 ? answer.body : answer.body.replace(/"vpc_id":"[^"]*"/g, '"vpc_id":""');
            return { ...answer, body };
        });
        const { error, tookMs } = await timed(world, work);
        expect(tookMs).toBeLessThan(45_000);
        expect(labelsOf(error)).toContain("Keep what uses it");
        expect(error?.message).toContain(`it has ${contents}`);
    });

    it.each(["deleteService", "detachFromVPC"] as const)(
        "waits while a service leaves a VPC by %s of another process",
        async (operation) => {
            const world = await simulate({ durations: { delete: 3 * minute, vpcChange: 3 * minute } });
            const net = await Vpc.create(network, world.run());
            const db = await Service.create(service({ vpcId: net.id }), world.run());
            const body = operation === "detachFromVPC" ? { vpc_id: net.id } : undefined;
            await call(world, operation, { service_id: db.id }, body);
            await Vpc.delete(net.id, net.state, world.run());
            expect(world.emulator.snapshot().vpcs).toEqual([]);
        },
    );

    it("waits while another process deletes the read replica sets of a service", async () => {
        const world = await simulate({ durations: { replicaSetDelete: 3 * minute } });
        const { id, state } = await Service.create(service(), world.run());
        const set = await ReadReplicaSet.create(replicaSet(id), world.run());
        await call(world, "deleteReplicaSet", { service_id: id, replica_set_id: set.state.replicaSetId });
        const { tookMs } = await timed(world, () => Service.delete(id, state, world.run()));
        expect(world.emulator.snapshot().services).toEqual([]);
        expect(tookMs).toBeLessThan(3.2 * minute);
    });
});

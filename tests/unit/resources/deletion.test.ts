import { readOptions } from "../../../provider/api/client";
import { lifecycles } from "../../../provider/resources";
import { ProtectedError } from "../../../provider/lifecycle/errors";
import { faults, network, projectId, replicaSet, service } from "../../support/lives";
import { closeSimulations, simulate } from "../../support/simulation";

afterEach(closeSimulations);

const { ReadReplicaSet, Service, Vpc } = lifecycles;

describe("a deletion", () => {
    it("waits for what is inside to leave", async () => {
        const world = await simulate();
        const net = await Vpc.create(network, world.run());
        const db = await Service.create(service({ vpcId: net.id }), world.run());
        await world.client.deleteService(projectId, db.id, readOptions);
        await Vpc.remove(net.id, net.state, world.run());
        expect(world.emulator.snapshot()).toMatchObject({ vpcs: [], services: [] });
    });

    it("of a protected service is refused with the way out", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(service({ deletionProtection: true }), world.run());
        await expect(Service.remove(id, state, world.run())).rejects.toThrow(ProtectedError);
        expect(world.emulator.snapshot().services).toHaveLength(1);
    });

    it("is not done because a proxy says that nothing is there; neither is a read", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        const { id, state } = await Service.create(service(), world.run());
        const lost = () => Promise.resolve({ status: 404, headers: {}, body: "<html>404</html>" });
        fault.at("deleteService", lost);
        await expect(Service.remove(id, state, world.run({ timeMs: 60_000 }))).rejects.toThrow("timed out after 1 min");
        fault.at("getService", lost);
        await expect(Service.read(id, state, world.run())).rejects.toThrow(
            "getService returned an invalid response (404 from ",
        );
    });

    it("goes on with one that was begun, and is content with what is gone already", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(service(), world.run());
        await world.client.deleteService(projectId, id, readOptions);
        await Service.remove(id, state, world.run());
        await Service.remove(id, state, world.run());
        expect(world.emulator.snapshot().counts.services).toEqual({ made: 1, removed: 1 });
    });
});

describe("a read", () => {
    it("shows what was changed behind the back, and the next plan puts back just that", async () => {
        const world = await simulate();
        const declared = service({ replicaCount: 1 });
        const { id, state } = await Service.create(declared, world.run());
        world.emulator.updateService(id, { environment: "PROD", replicaCount: 0 });
        const seen = await Service.read(id, state, world.run());
        expect(seen?.inputs).toEqual({ ...declared, replicaCount: 0, environment: "PROD" });
        expect(Service.describe(seen?.state, declared).lines).toEqual([
            "HA replicas none -> 1 async",
            "environment PROD -> DEV",
        ]);
    });

    it("of something gone, of its parent gone, or on its way out, is nothing", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(service(), world.run());
        const set = await ReadReplicaSet.create(replicaSet(id), world.run());
        world.emulator.deleteReplicaSet(set.id.split("/")[1] ?? "");
        await world.client.deleteService(projectId, id, readOptions).catch(() => undefined);
        expect(await Service.read(id, state, world.run())).toBeUndefined();
        world.emulator.deleteService(id);
        expect(await Service.read(id, state, world.run())).toBeUndefined();
        expect(await ReadReplicaSet.read(set.id, set.state, world.run())).toBeUndefined();
    });
});

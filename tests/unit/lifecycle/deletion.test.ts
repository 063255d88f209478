import { lifecycles } from "../../../provider/resources";
import { call, faults, replicaSet, service } from "../../support/fixtures";
import { closeSimulations, simulate } from "../../support/simulation";

afterEach(closeSimulations);

const { ReadReplicaSet, Service } = lifecycles;

describe("deletions", () => {
    it("a 404 of a proxy ends neither a deletion nor a read", async () => {
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

    it("a deletion resumes an earlier one, and succeeds if the resource is already deleted", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(service(), world.run());
        await call(world, "deleteService", { service_id: id });
        await Service.remove(id, state, world.run());
        await Service.remove(id, state, world.run());
        expect(world.emulator.snapshot().counts.services).toEqual({ made: 1, removed: 1 });
    });
});

describe("reads", () => {
    it("a read shows changes outside of the program, and the next plan reverts only those", async () => {
        const world = await simulate();
        const declared = service({ replicaCount: 1 });
        const { id, state } = await Service.create(declared, world.run());
        world.emulator.updateService(id, { environment: "PROD", replicaCount: 0 });
        const seen = await Service.read(id, state, world.run());
        expect(seen?.inputs).toEqual({ ...declared, replicaCount: 0, environment: "PROD" });
        expect(Service.describePlan(seen?.state, declared).lines).toEqual([
            "HA replicas none -> 1 async",
            "environment PROD -> DEV",
        ]);
    });

    it("a read of a resource that is deleted, being deleted or without its parent returns nothing", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(service(), world.run());
        const set = await ReadReplicaSet.create(replicaSet(id), world.run());
        world.emulator.deleteReplicaSet(set.id.split("/")[1] ?? "");
        await call(world, "deleteService", { service_id: id }).catch(() => undefined);
        expect(await Service.read(id, state, world.run())).toBeUndefined();
        world.emulator.deleteService(id);
        expect(await Service.read(id, state, world.run())).toBeUndefined();
        expect(await ReadReplicaSet.read(set.id, set.state, world.run())).toBeUndefined();
    });
});

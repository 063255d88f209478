import { addFaults } from "../../support/effects";
import { lifecycles } from "../../support/lifecycles";
import { network, peering, replicaSet, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;

describe("a read whose response describes another object", () => {
    it("a read is repeated, and the other object is never stored", async () => {
        const world = await simulate();
        await Service.create({ ...service({ name: "older" }), __urn: "older" }, world.run());
        await Vpc.create({ ...network, __urn: "older", cidr: "10.9.0.0/16" }, world.run());
        const net = await Vpc.create(network, world.run());
        const { id, state } = await Service.create(service(), world.run());
        addFaults(world.emulator, ["getService#1x2:otherObject", "getVpc:otherObject"]);
        expect((await Service.read(id, state, world.run()))?.state).toMatchObject({ serviceId: id, name: state.name });
        expect((await Vpc.read(net.id, net.state, world.run()))?.state).toMatchObject({ vpcId: net.id });
    });

    it("a read fails if each response describes another object", async () => {
        const { world, id, state } = await withService();
        const other = await Service.create({ ...service({ name: "other" }), __urn: "other" }, world.run());
        addFaults(world.emulator, ["getService#1+:otherObject"]);
        const read = Service.read(id, state, world.run());
        await expect(read).rejects.toThrow(other.id);
    });

    it("a wait ignores the responses that describe another object", async () => {
        const world = await simulate();
        await Service.create({ ...service({ name: "older" }), __urn: "older" }, world.run());
        addFaults(world.emulator, ["getService#1x3:otherObject"]);
        const { id, state } = await Service.create(service(), world.run());
        expect(state).toMatchObject({ serviceId: id, status: "READY" });
    });
});

describe("a null list", () => {
    it("a list that is null blocks no creation of any kind", async () => {
        const world = await simulate();
        addFaults(world.emulator, ["GET#1+:nullList"]);
        const net = await Vpc.create(network, world.run());
        await Peering.create(peering(net.id), world.run());
        const db = await Service.create(service(), world.run());
        await ReadReplicaSet.create(replicaSet(db.id), world.run());
        expect(world.warnings).toEqual([]);
    });
});

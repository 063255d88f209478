import { computed } from "../../../../provider/base/fields";
import { nativeHostIn } from "../../../support/hosts";
import { simulate } from "../../../support/simulation";

const start = async () => {
    const world = await simulate();
    return { world, host: nativeHostIn(world) };
};

it("the preview of an update whose region is unknown shows only the declared values", async () => {
    const { host } = await start();
    const { entry } = await host.up("Service", { regionCode: "us-east-1", cpuMillis: 500, password: "first-password" });
    const declared = { cpuMillis: 1000, memoryGbs: 4, connectionPooler: true };
    const after = { ...declared, regionCode: computed, password: "other-password" };
    const { known } = await host.preview("Service", after, entry);
    expect(known).toMatchObject(declared);
    for (const name of ["host", "port", "connectionString", "created", "serviceId", "status", "paused"]) {
        expect(known).not.toHaveProperty(name);
    }
});

describe("the preview of an update leaves values unknown that the update changes without a step", () => {
    it("the outputs of a service that was being upgraded when it was refreshed", async () => {
        const { world, host } = await start();
        const { entry } = await host.up("Service", { replicaCount: 0 });
        world.emulator.setServiceStatus(entry.id, "UPGRADING");
        const refreshed = await host.refresh("Service", entry);
        world.emulator.setServiceStatus(entry.id);
        const { known } = await host.preview("Service", { replicaCount: 1 }, refreshed);
        expect(known).toMatchObject({ replicaCount: 1, serviceId: entry.id });
        expect(known).not.toHaveProperty("status");
        expect(known).not.toHaveProperty("host");
    });

    it("what a service shows only after its interrupted creation", async () => {
        const { world, host } = await start();
        world.emulator.addFaults(["enablePooler:400"]);
        const { entry, error, outputs } = await host.up("Service", { cpuMillis: 500, connectionPooler: true });
        expect(error).toBeDefined();
        world.emulator.clearFaults();
        const { known } = await host.preview("Service", { cpuMillis: 500, connectionPooler: true }, entry);
        const { currentPassword } = outputs;
        expect(currentPassword).toBeTruthy();
        expect(known).toMatchObject({ cpuMillis: 500, connectionPooler: true, serviceId: entry.id, currentPassword });
        for (const name of ["status", "host", "poolerHost", "vpcHost"]) {
            expect(known).not.toHaveProperty(name);
        }
    });
});

it("the preview of a change of waitFor does not know the status of a peering", async () => {
    const { host } = await start();
    const { entry: vpc } = await host.up("Vpc", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
    const far = { vpcId: vpc.id, peerAccountId: "123", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
    const { entry } = await host.up("Peering", { ...far, waitFor: "provisioned" });
    const { operation, known } = await host.preview("Peering", { ...far, waitFor: "active" }, entry);
    expect([operation, known]).toMatchObject(["update", { waitFor: "active", vpcId: vpc.id }]);
    expect(known).not.toHaveProperty("status");
});

it("an absent output stays known as absent in the preview of an update that does not change it", async () => {
    const { host } = await start();
    const { entry } = await host.up("Service", {});
    const { known } = await host.preview("Service", { cpuMillis: 1000 }, entry);
    for (const name of ["poolerHost", "poolerPort", "vpcHost", "vpcPort", "forkedFrom", "vpcId", "addons", "fork"]) {
        expect(Object.keys(known)).toContain(name);
        expect(known[name]).toBeUndefined();
    }
});

import { secretNames } from "../../../provider/model/outputs";
import { resources, type ResourceType } from "../../../provider/resources";
import { hosts, type Entry } from "../../support/hosts";
import { simulate } from "../../support/simulation";

// A preview knows an output of an unchanged resource only if the state has it, in every language.
test.each(hosts)("the state has each output of each kind on %s, null if it has no value", async (_, hostIn) => {
    const world = await simulate({ peerings: "immediate" });
    const host = hostIn(world);
    const entryOf = async (type: ResourceType, inputs: object) => (await host.up(type, { ...inputs })).entry;
    const vpc = await entryOf("Vpc", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
    const far = { peerAccountId: "123", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
    const peering = await entryOf("Peering", { vpcId: vpc.id, ...far });
    const service = await entryOf("Service", {});
    const set = await entryOf("ReadReplicaSet", { serviceId: service.id, cpuMillis: 500 });
    const entries: [ResourceType, Entry][] = [
        ["Vpc", vpc],
        ["Peering", peering],
        [
            "PeeringActivation",
            await entryOf("PeeringActivation", { vpcId: vpc.id, peeringId: peering.outputs.peeringId }),
        ],
        ["Service", service],
        ["Service", await entryOf("Service", { existingId: service.id })],
        ["ReadReplicaSet", set],
    ];
    expect(new Set(entries.map(([type]) => type))).toEqual(new Set(Object.keys(resources)));
    for (const [type, entry] of entries) {
        for (const { outputs } of [entry, await host.refresh(type, entry)]) {
            const missing = Object.keys(resources[type].outputs).filter((name) => !(name in outputs));
            expect([type, ...missing]).toEqual([type]);
        }
    }
});

test("the password and the values that contain it are always secret", () => {
    expect([...new Set(secretNames(resources.Service))].sort()).toEqual([
        ...["connectionString", "currentPassword", "initialPassword"],
        ...["password", "poolerConnectionString", "vpcConnectionString"],
    ]);
});

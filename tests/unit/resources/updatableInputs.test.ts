import type { ResourceType } from "../../../provider/resources";
import { untypedLifecycles } from "../../support/lifecycles";
import { entriesOf } from "../../../provider/inputs/fields";
import { unknown } from "../../../provider/inputs/unknown";
import { closeSimulations, simulate } from "../../support/simulation";

afterAll(closeSimulations);

const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Thing::${name}`;

/** The inputs of one resource of each kind, with the ids of those before it. */
const examples: Readonly<Record<ResourceType, (ids: Readonly<Record<string, string>>) => object>> = {
    Vpc: () => ({ cidr: "10.0.0.0/16", regionCode: "us-east-1" }),
    Peering: ({ Vpc }) => ({ vpcId: Vpc, peerAccountId: "1", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" }),
    PeeringActivation: ({ Vpc, Peering = "" }) => ({ vpcId: Vpc, peeringId: Peering.split("/").at(-1) }),
    Service: () => ({}),
    ReadReplicaSet: ({ Service }) => ({ serviceId: Service, cpuMillis: 500 }),
};

test("the plan has a step for each input that can be updated", async () => {
    const world = await simulate();
    const ids: Record<string, string> = {};
    const missing: string[] = [];
    for (const [type, lifecycle] of Object.entries(untypedLifecycles)) {
        const given = { projectId: world.emulator.projectId, __urn: urn(type) };
        const inputs = { ...given, ...examples[type as ResourceType](ids) };
        const { id, state } = await lifecycle.create(inputs, world.run());
        ids[type] = id;
        const updated = entriesOf(lifecycle.resource.fields).filter(([, { onChange }]) => onChange === "update");
        for (const [name] of updated) {
            const plan = lifecycle.plan(state, { ...inputs, [name]: unknown });
            if (!plan.steps.some(({ sets, affects }) => name in { ...sets, ...affects })) {
                missing.push(`${type}.${name}`);
            }
        }
    }
    expect(missing).toEqual([]);
});

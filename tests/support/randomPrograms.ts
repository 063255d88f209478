import fc from "fast-check";
import type { Emulator } from "../../emulator";
import { readOptions, type Client } from "../../provider/api/client";
import { operations } from "../../provider/api/operations.gen";
import type { ResourceType } from "../../provider/resources";
import { untypedLifecycles } from "./lifecycles";
import { replicaSetStates, serviceStates } from "./arbitraries";

// Random programs with one resource, and random states of it.

export type Values = Record<string, unknown>;

/** The resources that the programs refer to. They exist outside of the stack. */
export interface Scene {
    readonly vpcIds: readonly string[];
    readonly parents: readonly string[];
    /** VPCs without services and peerings, so that a replacement can delete them. */
    readonly emptyVpcs: readonly string[];
    readonly peerings: readonly string[];
    readonly sets: readonly string[];
}

/** A resource type, and random inputs of it. References are numbers, which `inputsIn` resolves. */
export interface Kind {
    readonly type: ResourceType;
    readonly inputs: fc.Arbitrary<Values>;
    readonly inputsIn: (given: Values, scene: Scene) => Values;
}

/** What happens to the resource between its creation and the preview. */
type Event = "nothing" | "refresh" | "upgrade" | "failedUpdate" | "failedCreation";

/** A random state of a resource, and the program of the preview. */
export interface Change {
    /** The inputs of the creation. Null if the preview is that of the creation. */
    readonly from: Values | null;
    /** The inputs of the update that fails, if the event is that. */
    readonly between: Values;
    readonly to: Values;
    readonly event: Event;
    /** The operation that the API rejects in a failed update or creation. */
    readonly fails: string;
    /** The properties of `to` that are unknown in the preview. */
    readonly unknowns: readonly string[];
}

const regions = ["us-east-1", "eu-west-1"];
const far = { peerAccountId: "123456789012", peerRegionCode: "us-east-1" };

/** The inputs of a random program, with the chosen one of these ids for each reference. */
const pick = (ids: readonly string[], value: unknown) =>
    typeof value === "number" ? ids[value % ids.length] : undefined;

const programs = [
    {
        type: "Vpc",
        inputs: fc.record(
            {
                name: fc.constantFrom("one", "other"),
                cidr: fc.constantFrom("10.8.0.0/16", "10.9.0.0/16"),
                regionCode: fc.constantFrom(...regions),
                deletionProtection: fc.constant(false),
            },
            { requiredKeys: ["cidr", "regionCode"] },
        ),
        inputsIn: (given) => given,
    },
    {
        type: "Peering",
        inputs: fc.record(
            {
                vpc: fc.nat(1),
                peerVpcId: fc.constantFrom("vpc-1", "vpc-2"),
                waitFor: fc.constantFrom("active", "provisioned"),
            },
            { requiredKeys: ["vpc", "peerVpcId"] },
        ),
        inputsIn: ({ vpc, ...given }, { vpcIds }) => ({ ...far, ...given, vpcId: pick(vpcIds, vpc) }),
    },
    {
        type: "Service",
        inputs: fc
            .tuple(
                serviceStates(["0", "1"]),
                fc.record(
                    {
                        name: fc.constantFrom("orders", "shop"),
                        regionCode: fc.constantFrom("us-east-1"),
                    },
                    { requiredKeys: [] },
                ),
            )
            .map(([state, rest]) => ({ ...state, ...rest })),
        inputsIn: ({ vpcId, ...given }, { vpcIds }) => ({
            ...given,
            ...(vpcId === undefined ? {} : { vpcId: vpcIds[Number(vpcId)] }),
        }),
    },
    {
        type: "Service",
        inputs: serviceStates(["0"]).chain((state) =>
            fc.record({
                parent: fc.nat(1),
                strategy: fc.constantFrom("NOW", "LAST_SNAPSHOT"),
                state: fc.constant(state),
            }),
        ),
        inputsIn: ({ parent, strategy, state }, { parents, vpcIds }) => {
            const { vpcId, ...given } = state as Values;
            return {
                ...given,
                name: "copy",
                fork: { serviceId: pick(parents, parent), strategy },
                ...(vpcId === undefined ? {} : { vpcId: vpcIds[0] }),
            };
        },
    },
    {
        type: "ReadReplicaSet",
        inputs: fc.tuple(replicaSetStates, fc.nat(1)).map(([state, parent]): Values => ({ ...state, parent })),
        inputsIn: ({ parent, ...given }, { parents }) => ({ ...given, name: "copy", serviceId: pick(parents, parent) }),
    },
    {
        type: "PeeringActivation",
        inputs: fc.record({ peering: fc.nat(1) }),
        inputsIn: ({ peering }, { peerings }) => {
            const [vpcId, peeringId] = pick(peerings, peering)?.split("/") ?? [];
            return { vpcId, peeringId };
        },
    },
    {
        type: "Vpc",
        inputs: fc.record(
            {
                vpc: fc.nat(2),
                name: fc.constantFrom("one", "other"),
                cidr: fc.constantFrom("10.5.0.0/16", "10.6.0.0/16"),
            },
            { requiredKeys: ["vpc", "cidr"] },
        ),
        inputsIn: ({ vpc, ...given }, { emptyVpcs }) => ({
            ...given,
            regionCode: "us-east-1",
            existingId: pick([...emptyVpcs, "999999"], vpc),
        }),
    },
    {
        type: "Peering",
        inputs: fc.record(
            {
                peering: fc.nat(2),
                vpc: fc.nat(1),
                isShort: fc.boolean(),
                peerVpcId: fc.constantFrom("vpc-9", "vpc-9", "vpc-9", "vpc-1"),
                waitFor: fc.constantFrom("active", "provisioned"),
                deletionProtection: fc.constant(false),
            },
            { requiredKeys: ["peering", "vpc", "isShort", "peerVpcId"] },
        ),
        inputsIn: ({ peering, vpc, isShort, ...given }, { vpcIds, peerings }) => {
            const existingId = pick([...peerings, "999999/999999"], peering) ?? "";
            const [vpcId = "", peeringId = ""] = existingId.split("/");
            return isShort === true
                ? { ...far, ...given, vpcId, existingId: peeringId }
                : { ...far, ...given, vpcId: pick(vpcIds, vpc), existingId };
        },
    },
    {
        type: "Service",
        inputs: fc
            .tuple(serviceStates(["0", "1"]), fc.nat(2))
            .map(([state, service]): Values => ({ ...state, service })),
        inputsIn: ({ vpcId, service, ...given }, { parents, vpcIds }) => ({
            ...given,
            existingId: pick([...parents, "nosuchone1"], service),
            ...(vpcId === undefined ? {} : { vpcId: vpcIds[Number(vpcId)] }),
        }),
    },
    {
        type: "ReadReplicaSet",
        inputs: fc.tuple(replicaSetStates, fc.nat(1)).map(([state, set]): Values => ({ ...state, set })),
        inputsIn: ({ set, ...given }, { sets }) => {
            const existingId = pick(sets, set);
            return { ...given, serviceId: existingId?.split("/")[0], existingId };
        },
    },
] satisfies readonly Kind[];

type Missing = Exclude<ResourceType, (typeof programs)[number]["type"]>;

/** The resource types, each also with `existingId` or `fork` if it accepts them. A new type does not compile until it is here. */
export const kinds: [Missing] extends [never] ? readonly Kind[] : Missing = programs;

const events = fc.constantFrom<Event>("nothing", "nothing", "refresh", "upgrade", "failedCreation", "failedUpdate");
/** The operations that change a resource which exists. */
const updates = Object.keys(operations).filter((id) => !/^(get|list|create|fork|delete)/.test(id));

/** Random changes of one resource. */
export const changesOf = (kind: Kind): fc.Arbitrary<Change> =>
    fc.record({
        from: fc.option(kind.inputs),
        between: kind.inputs,
        to: kind.inputs,
        event: events,
        fails: fc.constantFrom(...updates),
        unknowns: fc.oneof(fc.constant([]), fc.subarray(Object.keys(untypedLifecycles[kind.type].resource.fields))),
    });

/** Creates the scene with the API. `settle` resolves when what was created is ready. */
export async function createScene(client: Client, emulator: Emulator, settle: () => Promise<void>): Promise<Scene> {
    const { projectId } = emulator;
    const vpcs = async (names: readonly string[], first: number) => {
        const made: string[] = [];
        for (const [index, name] of names.entries()) {
            const input = { name, cidr: `10.${first + index}.0.0/16`, region_code: "us-east-1" };
            made.push(
                (await client.call("createVpc", { path: { project_id: projectId }, body: input }, readOptions)).id,
            );
        }
        return made;
    };
    const vpcIds = await vpcs(["v1", "v2"], 1);
    const emptyVpcs = await vpcs(["e1", "e2"], 5);
    const parents: string[] = [];
    for (const name of ["p1", "p2"]) {
        const input = { name, cpu_millis: "500", memory_gbs: "2", region_code: "us-east-1" };
        parents.push(
            (await client.call("createService", { path: { project_id: projectId }, body: input }, readOptions))
                .service_id,
        );
    }
    await settle();
    const peerings: string[] = [];
    for (const vpcId of vpcIds) {
        const input = {
            peer_account_id: far.peerAccountId,
            peer_region_code: far.peerRegionCode,
            peer_vpc_id: "vpc-9",
        };
        peerings.push(
            `${vpcId}/${(await client.call("createPeering", { path: { project_id: projectId, vpc_id: vpcId }, body: input }, readOptions)).id}`,
        );
    }
    const sets: string[] = [];
    for (const serviceId of parents) {
        const input = { name: "old", nodes: 1, cpu_millis: 500, memory_gbs: 2 };
        sets.push(
            `${serviceId}/${(await client.call("createReplicaSet", { path: { project_id: projectId, service_id: serviceId }, body: input }, readOptions)).id}`,
        );
    }
    await settle();
    parents.forEach((id) => emulator.takeSnapshot(id));
    return { vpcIds, parents, emptyVpcs, peerings, sets };
}

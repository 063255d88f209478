import fc from "fast-check";
import { resourceTypes, type ResourceType } from "../../provider/resources";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import type { ServiceInputs } from "../../provider/resources/service/inputs";
import { valuesOf } from "../support/random";
import { recordOf } from "../support/streams";
import { sources, type OutsideSource } from "./sources";
import type { Timeouts } from "../support/calls";

/** The stacks of the model: both are of the same Pulumi project and use the same API project. */
export type StackName = "dev" | "prod";

/** How a service is declared. */
export interface ServiceDeclaration extends Omit<ServiceInputs, "cpuMillis" | "fork" | "password"> {
    cpuMillis?: number;
    password?: string | undefined;
    /** A password that the state does not contain. It counts if `password` is not declared. */
    passwordOutside?: OutsideSource | undefined;
    /** Whether it is attached to the network of the program. */
    inNetwork?: boolean;
    /** Whether it is a fork of orders. */
    fork?: boolean;
    /** Whether it has an addon. Adding it to a service needs a replacement. */
    ai?: boolean;
    /** Determines the name. */
    generation: number;
}

/** The kinds with declarations of their own. An activation creates nothing. */
const special = ["Vpc", "Peering", "PeeringActivation", "Service", "ReadReplicaSet"] as const;

type OtherType = Exclude<ResourceType, (typeof special)[number]>;

export const others = resourceTypes.filter((type): type is OtherType => !(special as readonly string[]).includes(type));

/**
 * A small program with all kinds of resources. Omitted resources are not declared. The generation of one of another kind
 * determines its required inputs.
 */
export interface Program extends Partial<Record<ResourceType, { generation: number }>> {
    /** The timeouts of all resources. */
    timeouts?: Timeouts;
    network?: { name: string };
    /** Belongs to the network. The generation determines the peer, so each generation is a different peering. */
    peering?: { generation: number };
    orders?: ServiceDeclaration;
    /** Belongs to orders. The generation determines the name, so each generation is a different set. */
    readers?: Omit<ReadReplicaSetInputs, "serviceId" | "nodes"> & {
        nodes: number;
        /** Its password is the current one of its service. */
        hasPasswordOfService?: boolean;
        generation: number;
    };
    reports?: ServiceDeclaration;
}

export type Key = Exclude<keyof Program, "timeouts" | (typeof special)[number]>;

export const keys: readonly Key[] = ["network", "peering", "orders", "readers", "reports", ...others];

export const typeOf: Readonly<Record<Key, ResourceType>> = {
    network: "Vpc",
    peering: "Peering",
    orders: "Service",
    readers: "ReadReplicaSet",
    reports: "Service",
    ...(Object.fromEntries(others.map((type) => [type, type])) as { [Type in OtherType]: Type }),
};

/** The same timeout for each operation. */
export const allAre = (timeout: string): Timeouts => ({ create: timeout, update: timeout, delete: timeout });

export const cpuMillis = fc.constantFrom(500, 1000, 2000);

const password = fc.constantFrom("first-password", "second-password");

/** Where the password of a service comes from: the program, outside of it, or nowhere. */
export const passwordSource = fc.oneof(
    fc.record({ password, passwordOutside: fc.constant(undefined) }),
    fc.record({ password: fc.constant(undefined), passwordOutside: fc.constantFrom(...sources) }),
    fc.constant({ password: undefined, passwordOutside: undefined }),
);

/** Whether it is paused or attached, and what it is a fork of, depends on the other resources of the program. */
const serviceFields = Object.assign(
    Object.fromEntries(Object.entries(valuesOf("Service")).filter(([name]) => !["vpcId", "paused"].includes(name))),
    {
        cpuMillis,
        replicaCount: fc.integer({ min: 0, max: 2 }),
        password,
        passwordOutside: fc.constantFrom(...sources),
        inNetwork: fc.boolean(),
    },
);

/** The protection of a set has no part in the rule for databases. */
const fieldsOfSet = Object.fromEntries(
    Object.entries(valuesOf("ReadReplicaSet")).filter(([name]) => name !== "deletionProtection"),
);

/** Programs. Those of a later round can have a higher generation. */
export function programs(round: number): fc.Arbitrary<Program> {
    const generation = fc.constantFrom(0, round + 1);
    return recordOf(
        {
            timeouts: fc.constantFrom(allAre("1m"), allAre("30m")),
            network: fc.record({ name: fc.constantFrom("net", "lan") }),
            peering: fc.record({ generation }),
            // A paused service cannot have replica sets, so this one is never paused.
            orders: recordOf({ ...serviceFields, generation }, { requiredKeys: ["generation"] }),
            readers: recordOf(
                {
                    ...fieldsOfSet,
                    nodes: fc.integer({ min: 1, max: 3 }),
                    cpuMillis,
                    password,
                    hasPasswordOfService: fc.boolean(),
                    generation,
                },
                { requiredKeys: ["nodes", "cpuMillis", "generation"] },
            ),
            reports: recordOf(
                { ...serviceFields, paused: fc.boolean(), fork: fc.boolean(), ai: fc.boolean(), generation },
                { requiredKeys: ["generation"] },
            ),
            ...Object.fromEntries(others.map((type) => [type, fc.record({ generation })])),
        },
        { requiredKeys: [] },
    );
}

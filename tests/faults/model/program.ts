import fc from "fast-check";
import { nameFrom } from "../../../provider/resources/names";
import type { ResourceType } from "../../../provider/resources";

/** What a service is declared as. */
export interface ServiceDeclaration {
    cpuMillis?: number;
    replicaCount?: number;
    environment?: "DEV" | "PROD";
    connectionPooler?: boolean;
    paused?: boolean;
    password?: string;
    /** Whether it is attached to the network. */
    inNetwork?: boolean;
    /** Another number is another name, and so another service. */
    generation: number;
}

/** A small program with all four kinds of resources; what is left out is not declared. */
export interface Program {
    network?: { name: string };
    /** Of the network; another number is another peer, and so another peering. */
    peering?: { generation: number };
    orders?: ServiceDeclaration;
    /** Of orders; another number is another name, and so another set. */
    readers?: { nodes: number; cpuMillis: number; connectionPooler?: boolean; generation: number };
    reports?: ServiceDeclaration;
}

export type Key = keyof Program;

/** One resource of a program as the engine sees it. */
export interface Declared {
    key: Key;
    type: ResourceType;
    inputs: Readonly<Record<string, unknown>>;
    /** Inputs that are the id of another resource. */
    needs: Readonly<Record<string, Key>>;
}

const memoryOf = (cpuMillis: number): number => cpuMillis / 250;

export const urnOf = (key: Key, type: ResourceType): string =>
    `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:${type}::${key}`;

/** The name that a resource without one gets. */
export const defaultName = (key: Key, type: ResourceType): string => nameFrom(urnOf(key, type));

/** The resources in an order in which each comes after what it needs; what needs something that is not declared is left out. */
export function resourcesOf(program: Program): Declared[] {
    const { network, peering, orders, readers, reports } = program;
    const found: Declared[] = [];
    if (network) {
        const inputs = { ...network, cidr: "10.0.0.0/16", regionCode: "us-east-1" };
        found.push({ key: "network", type: "Vpc", inputs, needs: {} });
    }
    if (network && peering) {
        const inputs = { peerAccountId: "1", peerRegionCode: "us-east-1", peerVpcId: `vpc-${peering.generation}` };
        found.push({ key: "peering", type: "Peering", inputs, needs: { vpcId: "network" } });
    }
    if (orders) found.push(serviceOf("orders", orders, network !== undefined));
    if (orders && readers) {
        const { cpuMillis, generation, ...rest } = readers;
        const inputs = { ...rest, ...sizeOf(cpuMillis), name: `readers-${generation}` };
        found.push({ key: "readers", type: "ReadReplicaSet", inputs, needs: { serviceId: "orders" } });
    }
    if (reports) found.push(serviceOf("reports", reports, network !== undefined));
    return found;
}

const sizeOf = (cpuMillis: number) => ({ cpuMillis, memoryGbs: memoryOf(cpuMillis) });

function serviceOf(key: Key, declaration: ServiceDeclaration, hasNetwork: boolean): Declared {
    const { inNetwork = false, cpuMillis, generation, ...rest } = declaration;
    const inputs = {
        ...rest,
        ...(cpuMillis !== undefined && sizeOf(cpuMillis)),
        // The first has the name that is made for it; what a program leaves open replaces nothing.
        name: generation === 0 ? defaultName(key, "Service") : `${key}-${generation}`,
        allowReplace: true,
    };
    return { key, type: "Service", inputs, needs: inNetwork && hasNetwork ? { vpcId: "network" } : {} };
}

const cpuMillis = fc.constantFrom(500, 1000, 2000);

const serviceFields = {
    cpuMillis,
    replicaCount: fc.integer({ min: 0, max: 2 }),
    environment: fc.constantFrom("DEV" as const, "PROD" as const),
    connectionPooler: fc.boolean(),
    password: fc.constantFrom("first-password", "second-password"),
    inNetwork: fc.boolean(),
};

/** Programs; those of a later round have higher generations, so that what is replaced never comes back. */
export function programs(round: number): fc.Arbitrary<Program> {
    const generation = fc.constantFrom(0, round);
    return fc.record(
        {
            network: fc.record({ name: fc.constantFrom("net", "other-net") }),
            peering: fc.record({ generation }),
            // A paused service takes no replica sets, so this one is never paused.
            orders: fc.record({ ...serviceFields, generation: fc.constant(0) }, { requiredKeys: ["generation"] }),
            readers: fc.record(
                { nodes: fc.integer({ min: 1, max: 3 }), cpuMillis, connectionPooler: fc.boolean(), generation },
                { requiredKeys: ["nodes", "cpuMillis", "generation"] },
            ),
            reports: fc.record(
                { ...serviceFields, paused: fc.boolean(), generation },
                { requiredKeys: ["generation"] },
            ),
        },
        { requiredKeys: [] },
    );
}

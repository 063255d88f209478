import type { Emulator, JournalEntry, Snapshot } from "../../../emulator";
import { passwordIn } from "../../support/passwords";
import { declared, type Declaration } from "./program";

/**
 * Describes how the existing resources differ from the program. Without a program, nothing may exist. `others` is the
 * number of deleted databases that a killed run had created.
 */
export function problemsIn(emulator: Emulator, program: Declaration | undefined, others = 0): string[] {
    const world = emulator.snapshot();
    return program === undefined ? leftovers(world) : differences(world, program, others);
}

function differences(world: Snapshot, program: Declaration, others: number): string[] {
    const { vpc, peering, service, set } = declared[program];
    const [network] = world.vpcs;
    const { made, removed } = world.counts.services;
    const found = {
        vpcs: world.vpcs.map(({ name, cidr }) => ({ name, cidr })),
        peerings: world.peerings.map(({ peer_vpc_id, status }) => ({ peer_vpc_id, status })),
        services: world.services.map((one) => ({
            name: one.name,
            status: one.status,
            cpu: one.resources[0]?.spec?.cpu_millis,
            replicas: one.ha_replicas?.replica_count,
            environment: one.metadata?.environment,
            pooler: one.connection_pooler !== undefined,
            attached: one.vpc_endpoint !== undefined && one.vpc_endpoint.vpc_id === network?.id,
        })),
        sets: world.services.flatMap(({ read_replica_sets: sets = [] }) =>
            sets.map(({ name, status, nodes, cpu_millis, connection_pooler: pooler }) => {
                return { name, status, nodes, cpu_millis, pooler: pooler !== undefined };
            }),
        ),
        databases: [made, removed],
    };
    const databases = [1 + others, others];
    const expected = { vpcs: [vpc], peerings: [peering], services: [service], sets: [set], databases };
    const [are, should] = [JSON.stringify(found), JSON.stringify(expected)];
    return are === should ? [] : [`There are ${are} and should be ${should}`];
}

const leftovers = ({ vpcs, peerings, services }: Snapshot): string[] =>
    [...vpcs, ...peerings, ...services].map((left) => `destroy did not delete ${JSON.stringify(left)}`);

/** The secrets that a backend file or an output contains in plain text. */
export function plainTextProblems(texts: readonly string[], secrets: Iterable<string>): string[] {
    return [...secrets]
        .filter((secret) => texts.some((text) => text.includes(secret)))
        .map((secret) => `${secret} is in plain text in a backend file or in an output`);
}

/** Checks that the service accepts the connection strings of the stack's outputs. */
export function secretProblems(emulator: Emulator, outputs: Readonly<Record<string, unknown>>): string[] {
    const { connectionString, replicaConnectionString, serviceId } = outputs;
    return Object.entries({ connectionString, replicaConnectionString }).flatMap(([name, url]) => {
        const password = passwordIn("connectionString", url);
        if (password === undefined) {
            return [`the ${name} has no password`];
        }
        const isAccepted = emulator.passwordMatches(String(serviceId), password);
        return isAccepted ? [] : [`the service rejects the password of the ${name}`];
    });
}

/** Where a program and its stack declare `deletionProtection`. The first of these values decides; the default is true. */
export interface Protection {
    readonly input?: boolean;
    readonly config?: boolean;
}

/** An entry of a service in a state. */
export interface ServiceEntry {
    readonly id: string;
    readonly deletionProtection: unknown;
}

/** The deletions that the states before the run did not permit. */
export function deletionProblems(before: readonly ServiceEntry[], requests: readonly JournalEntry[]): string[] {
    return requests
        .filter(({ operationId }) => operationId === "deleteService")
        .map(({ path }) => /\/services\/(\w+)/.exec(path)?.[1])
        .filter((id) => !before.some((one) => one.id === id && one.deletionProtection === false))
        .map((id) => `The run deletes ${String(id)}, and the state before it was ${JSON.stringify(before)}`);
}

import type { Emulator, Snapshot } from "../../../emulator";
import { declared, type Declaration } from "./program";

/** Whether a service has the name of a last copy, which belongs to no stack. */
export const isLastCopy = ({ name }: Snapshot["services"][number]): boolean => name.includes("-last-copy-");

/**
 * Describes how the existing resources differ from the program. Without a program, only last copies may exist. `others` is the
 * number of deleted databases that another stack or a killed run had created.
 */
export function problemsIn(emulator: Emulator, program: Declaration | undefined, others = 0): string[] {
    const world = emulator.snapshot();
    return program === undefined ? leftovers(world) : differences(world, program, others);
}

function differences(world: Snapshot, program: Declaration, others: number): string[] {
    const { vpc, peering, service, set } = declared[program];
    const [network] = world.vpcs;
    const { made, removed } = world.counts.services;
    return [
        ...unlike(
            "VPCs",
            world.vpcs.map(({ name, cidr }) => ({ name: declaredName(name), cidr })),
            [vpc],
        ),
        ...unlike(
            "peerings",
            world.peerings.map(({ peer_vpc_id, status }) => ({ peer_vpc_id, status })),
            [peering],
        ),
        ...unlike(
            "services",
            world.services.map((one) => ({
                name: declaredName(one.name),
                status: one.status,
                cpu: one.resources[0]?.spec?.cpu_millis,
                replicas: one.ha_replicas?.replica_count,
                environment: one.metadata?.environment,
                pooler: one.connection_pooler !== undefined,
                attached: one.vpc_endpoint !== undefined && one.vpc_endpoint.vpc_id === network?.id,
            })),
            [service],
        ),
        ...unlike(
            "read replica sets",
            world.services.flatMap(({ read_replica_sets: sets = [] }) =>
                sets.map((one) => ({
                    name: declaredName(one.name),
                    status: one.status,
                    nodes: one.nodes,
                    cpu_millis: one.cpu_millis,
                    pooler: one.connection_pooler !== undefined,
                })),
            ),
            [set],
        ),
        ...unlike("databases created and deleted", [made, removed], [1 + others, others]),
    ];
}

/** The name for the comparison: a generated name counts as the declared one. */
const declaredName = (name: string): string => name.replace(/^(net|db|readers)-[0-9a-f]{7}$/, "crash-$1");

function unlike(what: string, actual: unknown, expected: unknown): string[] {
    const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    return found === wanted ? [] : [`${what} are ${found} and should be ${wanted}`];
}

const leftovers = ({ vpcs, peerings, services }: Snapshot): string[] =>
    [...vpcs, ...peerings, ...services.filter((one) => !isLastCopy(one))].map(
        (left) => `destroy did not delete ${JSON.stringify(left)}`,
    );

/** Checks the last copies after the deletion of a database: one is complete, and there are at most `most`. */
export function lastCopyProblems(emulator: Emulator, databaseId: string, most: number): string[] {
    const copies = emulator.snapshot().services.filter(isLastCopy);
    const complete = copies.filter(
        ({ status, forked_from: parent }) => status === "PAUSED" && parent?.service_id === databaseId,
    );
    return complete.length > 0 && copies.length <= most
        ? []
        : [`the last copies of ${databaseId} are ${JSON.stringify(copies)}`];
}

/** The secrets that a backend file or an output contains in plain text. */
export function plainTextProblems(texts: readonly string[], secrets: Iterable<string>): string[] {
    return [...secrets]
        .filter((secret) => texts.some((text) => text.includes(secret)))
        .map((secret) => `${secret} is in plain text in a backend file or in an output`);
}

/** Checks that the service accepts the connection string of the stack's outputs. */
export function secretProblems(emulator: Emulator, outputs: Readonly<Record<string, unknown>>): string[] {
    const { connectionString, serviceId } = outputs;
    const [, password] = /^postgres:\/\/[^:@/]+:([^@]+)@/.exec(String(connectionString)) ?? [];
    if (password === undefined) {
        return ["the connection string has no password"];
    }
    return emulator.passwordMatches(String(serviceId), decodeURIComponent(password))
        ? []
        : ["the service rejects the password of the connection string"];
}

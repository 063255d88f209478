import { isDeepStrictEqual } from "node:util";
import type { Emulator, Snapshot } from "../../../emulator";
import type { Engine } from "./engine";
import type { Declared, Key } from "./program";

type Values = Readonly<Record<string, unknown>>;

/** Inputs that do not show from outside. */
const unseen: ReadonlySet<string> = new Set(["allowReplace", "existingId", "password"]);

/** What stands for inputs that a program leaves open; what was taken over keeps what it had. */
const serviceDefaults = {
    replicaCount: 0,
    environment: "DEV",
    connectionPooler: false,
    paused: false,
    vpcId: undefined,
};

/** Where the world or the state is not as declared, in words. */
export function differences(
    program: readonly Declared[],
    takenOver: ReadonlyMap<Key, string>,
    engine: Engine,
    emulator: Emulator,
): string[] {
    const world = emulator.snapshot();
    const ids = (type: Declared["type"]) =>
        program.filter((one) => one.type === type).map(({ key }) => engine.entry(key)?.id ?? `(no ${key})`);
    const sets = world.services.flatMap(({ service_id, read_replica_sets = [] }) =>
        read_replica_sets.map(({ id }) => `${service_id}/${id}`),
    );
    return [
        ...sameIds(
            "VPCs",
            ids("Vpc"),
            world.vpcs.map(({ id }) => id),
        ),
        ...sameIds(
            "peerings",
            ids("Peering"),
            world.peerings.map(({ id, vpc_id }) => `${vpc_id}/${id}`),
        ),
        ...sameIds(
            "services",
            ids("Service"),
            world.services.map(({ service_id }) => service_id),
        ),
        ...sameIds("read replica sets", ids("ReadReplicaSet"), sets),
        ...program.flatMap((declared) => {
            const seen = look(world, declared, engine);
            const expected = expectedOf(declared, takenOver, engine);
            return seen ? unlike(declared.key, expected, seen) : [`${declared.key} is not there`];
        }),
        ...program
            .filter(({ type }) => type === "Service")
            .flatMap((one) => secretsOf(one, takenOver, engine, emulator)),
    ];
}

function sameIds(what: string, declared: readonly string[], there: readonly string[]): string[] {
    return isDeepStrictEqual([...declared].sort(), [...there].sort())
        ? []
        : [`${what}: the state has ${declared.join(", ") || "none"}, the service has ${there.join(", ") || "none"}`];
}

function unlike(key: Key, expected: Values, seen: Values): string[] {
    return Object.entries(expected)
        .filter(([name, value]) => !isDeepStrictEqual(value, seen[name]))
        .map(([name, value]) => `${key}.${name} is ${String(seen[name])} and should be ${String(value)}`);
}

function expectedOf(
    { key, type, inputs, needs }: Declared,
    takenOver: ReadonlyMap<Key, string>,
    engine: Engine,
): Values {
    const declared = Object.fromEntries(Object.entries(inputs).filter(([name]) => !unseen.has(name)));
    const ids = Object.fromEntries(Object.entries(needs).map(([input, needed]) => [input, engine.entry(needed)?.id]));
    const defaults = {
        ...(type === "Service" && !takenOver.has(key) && serviceDefaults),
        ...(type === "ReadReplicaSet" && !takenOver.has(key) && { connectionPooler: false }),
    };
    const status = { Vpc: undefined, PeeringActivation: undefined, Peering: "active", ReadReplicaSet: "active" };
    const atRest = type === "Service" ? (declared.paused ? "PAUSED" : "READY") : status[type];
    return { ...defaults, ...declared, ...ids, status: atRest };
}

/** What is there, under the names of the inputs; written down here by hand, not by the code under test. */
function look(world: Snapshot, { key, type }: Declared, engine: Engine): Values | undefined {
    const [id = "", below = ""] = (engine.entry(key)?.id ?? "").split("/");
    const service = world.services.find(({ service_id }) => service_id === id);
    if (type === "Vpc") {
        const vpc = world.vpcs.find((one) => one.id === id);
        return vpc && { name: vpc.name, cidr: vpc.cidr, regionCode: vpc.region_code };
    }
    if (type === "Peering") {
        const peering = world.peerings.find((one) => one.id === below);
        return (
            peering && {
                vpcId: peering.vpc_id,
                peerAccountId: peering.peer_account_id,
                peerRegionCode: peering.peer_region_code,
                peerVpcId: peering.peer_vpc_id,
                status: peering.status,
            }
        );
    }
    if (type === "ReadReplicaSet") {
        const set = service?.read_replica_sets?.find((one) => one.id === below);
        return (
            set && {
                serviceId: id,
                name: set.name,
                nodes: set.nodes,
                cpuMillis: set.cpu_millis,
                memoryGbs: set.memory_gbs,
                connectionPooler: set.connection_pooler !== undefined,
                status: set.status,
            }
        );
    }
    const spec = service?.resources[0]?.spec;
    return (
        service && {
            name: service.name,
            cpuMillis: spec?.cpu_millis,
            memoryGbs: spec?.memory_gbs,
            replicaCount: service.ha_replicas?.replica_count,
            environment: service.metadata?.environment,
            connectionPooler: service.connection_pooler !== undefined,
            paused: service.status === "PAUSED",
            vpcId: service.vpc_endpoint?.vpc_id,
            status: service.status,
        }
    );
}

/** The password in the state opens the service; of one that was taken over only a declared one is known. */
function secretsOf(
    { key, inputs }: Declared,
    takenOver: ReadonlyMap<Key, string>,
    engine: Engine,
    emulator: Emulator,
): string[] {
    const { password, initialPassword, connectionString } = engine.outputsOf(key);
    const id = engine.entry(key)?.id;
    const inForce = password ?? initialPassword;
    if (id === undefined) return [];
    if (typeof inForce !== "string") return takenOver.has(key) ? [] : [`${key} has no password in the state`];
    return [
        ...(inputs.password === undefined || inputs.password === inForce ? [] : [`${key} has another password`]),
        ...(emulator.passwordMatches(id, inForce) ? [] : [`the password of ${key} in the state does not open it`]),
        ...(String(connectionString).includes(`:${encodeURIComponent(inForce)}@`)
            ? []
            : [`the connection string of ${key} has another password`]),
    ];
}

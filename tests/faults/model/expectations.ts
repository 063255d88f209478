import { isDeepStrictEqual } from "node:util";
import type { Emulator, Snapshot } from "../../../emulator";
import type { Engine } from "./engine/engine";
import type { Declared, Key } from "./program";
import type { Values } from "./engine/properties";
import type { Stack } from "./stack";

/** Inputs that the API does not return. */
const notReturned: ReadonlySet<string> = new Set([
    ...["addons", "deletionProtection", "existingId", "finalFork", "fork", "password"],
]);

/** The values of omitted inputs. An adopted resource keeps its values. */
const serviceDefaults = {
    replicaCount: 0,
    environment: "DEV",
    connectionPooler: false,
    paused: false,
    vpcId: undefined,
};

/** Describes how the existing resources or the state of a stack differ from the program. */
export function differences(stack: Stack, emulator: Emulator): string[] {
    const world = emulator.snapshot();
    const program = stack.declared();
    return [
        ...program.flatMap((declared) => {
            const seen = actualOf(world, declared, stack.engine);
            const expected = expectedOf(declared, stack.engine, seen);
            return seen ? unlike(declared.key, expected, seen) : [`${declared.key} does not exist`];
        }),
        ...program.filter(({ type }) => type === "Service").flatMap((one) => secretsOf(one, stack.engine, emulator)),
        ...program.filter(({ type }) => type === "ReadReplicaSet").flatMap((one) => urlsOf(one, stack.engine)),
        ...stack.engine
            .entries()
            .filter((entry) => !program.some(({ key }) => stack.engine.entry(key) === entry))
            .map(({ key, id }) => `${key} (${id}) is in the state but is not declared`),
    ];
}

function unlike(key: Key, expected: Values, seen: Values): string[] {
    return Object.entries(expected)
        .filter(([name, value]) => !isDeepStrictEqual(value, seen[name]))
        .map(([name, value]) => `${key}.${name} is ${String(seen[name])}, but should be ${String(value)}`);
}

function expectedOf({ key, type, inputs, needs }: Declared, engine: Engine<Key>, seen: Values | undefined): Values {
    const adopted = engine.entry(key)?.adopted;
    const declared = Object.fromEntries(Object.entries(inputs).filter(([name]) => !notReturned.has(name)));
    const ids = Object.fromEntries(
        Object.entries(needs)
            .filter(([input]) => !input.includes("."))
            .map(([input, needed]) => [input, engine.entry(needed)?.id]),
    );
    const defaults = {
        ...(type === "Service" && !adopted && serviceDefaults),
        ...(type === "ReadReplicaSet" && !adopted && { connectionPooler: false }),
    };
    const status = { Vpc: undefined, PeeringActivation: undefined, Peering: "active", ReadReplicaSet: "active" };
    // A service may have been paused before it was adopted.
    const wasPaused = !("paused" in declared) && adopted === true && seen?.status === "PAUSED";
    const settled = type === "Service" ? (declared.paused || wasPaused ? "PAUSED" : "READY") : status[type];
    return { ...defaults, ...declared, ...ids, status: settled };
}

/** The existing resource, by input names. This mapping is written by hand and independent of the provider's. */
function actualOf(world: Snapshot, { key, type }: Declared, engine: Engine<Key>): Values | undefined {
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

/** Checks that the service accepts the password in the state. For an adopted service, only a declared password is known. */
function secretsOf({ key, inputs }: Declared, engine: Engine<Key>, emulator: Emulator): string[] {
    const entry = engine.entry(key);
    if (entry === undefined) {
        return [];
    }
    const { password, initialPassword, currentPassword } = entry.outputs.values;
    const current = password ?? initialPassword;
    if (typeof current !== "string") {
        return entry.adopted ? [] : [`${key} has no password in the state`];
    }
    return [
        ...(inputs.password === undefined || inputs.password === current ? [] : [`${key} has another password`]),
        ...(emulator.passwordMatches(entry.id, current) ? [] : [`${key} rejects the password in the state`]),
        ...(currentPassword === current ? [] : [`${key} has another current password`]),
        ...urlsWithout(current, key, entry.outputs.values),
    ];
}

/** Checks that the URLs of a replica set contain the declared password. */
function urlsOf({ key, inputs }: Declared, engine: Engine<Key>): string[] {
    const entry = engine.entry(key);
    return entry === undefined || typeof inputs.password !== "string"
        ? []
        : urlsWithout(inputs.password, key, entry.outputs.values);
}

function urlsWithout(password: string, key: Key, outputs: Values): string[] {
    const urls = ["connectionString", "poolerConnectionString", "vpcConnectionString"]
        .map((name) => [name, outputs[name]] as const)
        .filter(([name, url]) => name === "connectionString" || (url !== undefined && url !== null));
    return urls
        .filter(([, url]) => !String(url).includes(`:${encodeURIComponent(password)}@`))
        .map(([name]) => `the ${name} of ${key} has another password`);
}

import { kindFacts } from "../messages";
import type { Kind, Resource } from "../messages";
import { camel } from "./format";

type Values = Readonly<Record<string, unknown>>;

/** The inputs whose names differ from those of the API. */
const renamed: Readonly<Record<string, string>> = { environment_tag: "environment", fork_strategy: "strategy" };

/** The class of the resources that an operation creates. */
const classOf = (operation: string): string =>
    operation.replace(/^(create|fork)/, "").replace("ReplicaSet", "ReadReplicaSet");

const code = (text: string): { code: string } => ({ code: text });

/** The inputs that an operation sets without a value in its body that a program can contain. */
const effects: Readonly<Record<string, Values>> = {
    updatePassword: { password: code('config.requireSecret("password")') },
    stopService: { paused: true },
    startService: { paused: false },
    detachFromVPC: { vpcId: undefined },
    enablePooler: { connectionPooler: true },
    disablePooler: { connectionPooler: false },
    enableReplicaSetPooler: { connectionPooler: true },
    disableReplicaSetPooler: { connectionPooler: false },
};

/** The declaration in a program that has the effect of an operation. */
export function pulumiCode(operation: string, body: Values, resource: Resource<Kind> | undefined): string {
    if (operation.startsWith("delete")) {
        return "// Remove the resource from the program. A deletion needs\n// deletionProtection: false, applied before.";
    }
    const inputs = Object.fromEntries(
        Object.entries(body).map(([name, value]) => [renamed[name] ?? camel(name), sized(name, value)]),
    );
    const own = resource && "name" in resource.value ? resource.value.name : "sample";
    if (resource && !/^(create|fork)/.test(operation)) {
        const all = { ...inputsOf(resource), ...inputs, ...effects[operation] };
        return declaration(classOf(kindFacts[resource.kind].creates[0] ?? ""), own, all);
    }
    const { strategy, targetTime, ...others } = inputs;
    const link = resource?.kind === "vpcs" ? "vpcId" : "serviceId";
    const parent = { [link]: code(`${identifierOf(own)}.${link}`) };
    const isFork = operation === "forkService";
    const links = isFork ? { fork: { ...parent, strategy, targetTime } } : resource ? parent : {};
    const name = typeof others.name === "string" ? others.name : isFork ? `${own}-fork` : "office";
    return declaration(classOf(operation), name, { ...links, ...others });
}

/** The API accepts sizes as text, and a program declares numbers. */
const sized = (name: string, value: unknown): unknown =>
    /^(cpu_millis|memory_gbs)$/.test(name) && value !== "shared" ? Number(value) : value;

/** The inputs of a resource as it is. */
export function inputsOf({ kind, value }: Resource<Kind>): Values {
    if (kind === "services") {
        const { cpu_millis: cpuMillis, memory_gbs: memoryGbs } = value.resources[0]?.spec ?? {};
        const { replica_count: replicas = 0, sync_replica_count: syncReplicas = 0 } = value.ha_replicas ?? {};
        return {
            name: value.name,
            regionCode: value.region_code,
            cpuMillis,
            memoryGbs,
            replicaCount: replicas || undefined,
            syncReplicaCount: syncReplicas || undefined,
            environment: value.metadata?.environment,
            vpcId: value.vpc_endpoint?.vpc_id,
            connectionPooler: value.connection_pooler && true,
        };
    }
    if (kind === "replicaSets") {
        const { name, service_id: serviceId, nodes, cpu_millis: cpuMillis, memory_gbs: memoryGbs } = value;
        const connectionPooler = value.connection_pooler && true;
        return { serviceId, name, nodes, cpuMillis, memoryGbs, connectionPooler };
    }
    if (kind === "vpcs") {
        const { name, cidr, region_code: regionCode } = value;
        return { name, cidr, regionCode };
    }
    return {};
}

/** A name as a variable. */
function identifierOf(name: string): string {
    const camelCased = name.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string | undefined) =>
        (letter ?? "").toUpperCase(),
    );
    return /^[A-Za-z]/.test(camelCased) ? camelCased : `db${camelCased}`;
}

function declaration(type: string, name: string, inputs: Values): string {
    const lines = Object.entries(inputs)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `    ${key}: ${literal(value)},`);
    return [`const ${identifierOf(name)} = new clouddb.${type}(${JSON.stringify(name)}, {`, ...lines, "});"].join("\n");
}

function literal(value: unknown): string {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return JSON.stringify(value);
    }
    if ("code" in value) {
        return String(value.code);
    }
    const parts = Object.entries(value).filter(([, part]) => part !== undefined);
    return `{ ${parts.map(([key, part]) => `${key}: ${literal(part)}`).join(", ")} }`;
}

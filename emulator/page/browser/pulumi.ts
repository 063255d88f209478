import type { Kind, Resource } from "../messages";

type Values = Readonly<Record<string, unknown>>;

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The inputs whose names differ from those of the API. */
const renamed: Readonly<Record<string, string>> = { environment_tag: "environment", fork_strategy: "strategy" };

/** The classes of the resources that operations create. */
const created: Readonly<Record<string, string>> = {
    createService: "Service",
    forkService: "Service",
    createReplicaSet: "ReadReplicaSet",
    createVpc: "Vpc",
    createPeering: "Peering",
};

const classes: Readonly<Record<Kind, string>> = {
    services: "Service",
    replicaSets: "ReadReplicaSet",
    vpcs: "Vpc",
    peerings: "Peering",
};

/** The inputs that an operation without a body sets. */
const effects: Readonly<Record<string, Values>> = {
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
    if (operation === "updatePassword") {
        return declaration("Service", nameOf(resource), {
            ...inputsOf(resource),
            password: code('config.requireSecret("password")'),
        });
    }
    const inputs = Object.fromEntries(
        Object.entries(body).map(([name, value]) => [renamed[name] ?? camel(name), sized(name, value)]),
    );
    const type = created[operation];
    if (type === undefined) {
        return declaration(classes[resource?.kind ?? "services"], nameOf(resource), {
            ...inputsOf(resource),
            ...inputs,
            ...effects[operation],
        });
    }
    const { strategy, targetTime, ...others } = inputs;
    const parent = code(`${identifierOf(nameOf(resource))}.${resource?.kind === "vpcs" ? "vpcId" : "serviceId"}`);
    const links: Values =
        operation === "forkService"
            ? { fork: { serviceId: parent, strategy, targetTime } }
            : resource
              ? { [resource.kind === "vpcs" ? "vpcId" : "serviceId"]: parent }
              : {};
    const ownName = operation === "forkService" ? `${nameOf(resource)}-fork` : "office";
    const name = typeof others.name === "string" ? others.name : ownName;
    return declaration(type, name, { ...links, ...others });
}

/** The API accepts sizes as text, and a program declares numbers. */
const sized = (name: string, value: unknown): unknown =>
    /^(cpu_millis|memory_gbs)$/.test(name) && value !== "shared" ? Number(value) : value;

/** The inputs of a resource as it is. */
function inputsOf(resource: Resource<Kind> | undefined): Values {
    if (resource?.kind === "services") {
        const { value } = resource;
        const { cpu_millis: cpuMillis, memory_gbs: memoryGbs } = value.resources[0]?.spec ?? {};
        const replicas = value.ha_replicas?.replica_count;
        return {
            name: value.name,
            regionCode: value.region_code,
            cpuMillis,
            memoryGbs,
            replicaCount: replicas === 0 ? undefined : replicas,
            environment: value.metadata?.environment,
            vpcId: value.vpc_endpoint?.vpc_id,
            connectionPooler: value.connection_pooler && true,
        };
    }
    if (resource?.kind === "replicaSets") {
        const { name, service_id: serviceId, nodes, cpu_millis: cpuMillis, memory_gbs: memoryGbs } = resource.value;
        return { serviceId, name, nodes, cpuMillis, memoryGbs };
    }
    if (resource?.kind === "vpcs") {
        const { name, cidr, region_code: regionCode } = resource.value;
        return { name, cidr, regionCode };
    }
    return {};
}

const nameOf = (resource: Resource<Kind> | undefined): string =>
    resource && "name" in resource.value ? resource.value.name : "sample";

/** A name as a variable. */
export function identifierOf(name: string): string {
    const camelCased = name.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string | undefined) =>
        (letter ?? "").toUpperCase(),
    );
    return /^[A-Za-z]/.test(camelCased) ? camelCased : `db${camelCased}`;
}

const code = (text: string): { code: string } => ({ code: text });

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

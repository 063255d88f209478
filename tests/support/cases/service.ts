import type { Schemas } from "../../../provider/api/contract";
import type { Fork, ServiceInputs } from "../../../provider/resources/service/inputs";
import { common, endpoints, fixed, pooler, poolerExercises, verification } from "./common";
import { list, message, text } from "./exercise";
import { combined, passwordVariables, symbols, type KindCase } from "./kind";
import type { PropertyCases } from "./property";

const collection = "/projects/{project_id}/services";
const path = `${collection}/{service_id}` as const;
const size = { cpu_millis: "1000", memory_gbs: "4" };

const sizeOf = (service: Schemas["Service"]) => service.resources[0]?.spec;

const properties: PropertyCases<ServiceInputs, Schemas["Service"]> = {
    ...common,
    name: {
        values: ["orders", "bills"],
        announced: { renameService: /^rename/ },
        lines: ['rename "orders" -> "bills"'],
        shown: "string",
        wire: ({ name }) => name,
    },
    password: {
        values: ["first-password", "second-password"],
        announced: { updatePassword: /^(set|change) the (initial )?password/ },
        lines: ["change the password"],
        group: "password",
        isInForce: (emulator, id, password) => emulator.passwordMatches(id, password),
    },
    passwordFile: {
        values: ({ passwordFile }) => [undefined, passwordFile],
        beside: [{ password: "first-password" }, { passwordVersion: 1 }],
        lines: ['change the password (version 1 of file "orders.txt")'],
        group: "password",
        shows: { password: "delete", passwordFile: "add", passwordVersion: "add" },
    },
    passwordVariable: {
        values: ({ passwordVariable }) => [passwordVariable, undefined],
        beside: ({ passwordFile }) => [{ passwordVersion: 1 }, { passwordFile, passwordVersion: 1 }],
        group: "password",
        shows: { passwordVariable: "delete", passwordFile: "add" },
    },
    passwordVersion: {
        values: [1, 2],
        beside: ({ passwordVariable }) => [{ passwordVariable }, { passwordVariable }],
        group: "password",
    },
    vpcId: {
        values: ({ Vpc }) => Vpc,
        announced: { detachFromVPC: /^detach/, attachToVPC: /^attach/ },
        calls: (from, to) => [
            ...(from === undefined ? [] : (["detachFromVPC"] as const)),
            ...(to === undefined ? [] : (["attachToVPC"] as const)),
        ],
        lines: ["detach from VPC 41", "attach to VPC 42, `pulumi refresh` shows new endpoints of any replica sets"],
        shown: "string?",
        wire: ({ vpc_endpoint: endpoint }) => endpoint?.vpc_id,
    },
    cpuMillis: {
        values: [1000, 2000],
        announced: { resizeService: /^resize/ },
        lines: ["resize 1000m/4GB -> 2000m/4GB, restarts the service"],
        group: "size",
        shows: { cpuMillis: "update", memoryGbs: "update" },
        shown: "size?",
        wire: (service) => sizeOf(service)?.cpu_millis,
    },
    memoryGbs: {
        values: [4, 8],
        announced: { resizeService: /^resize/ },
        lines: ["resize 1000m/4GB -> 1000m/8GB, restarts the service"],
        group: "size",
        shows: { cpuMillis: "update", memoryGbs: "update" },
        shown: "size?",
        wire: (service) => sizeOf(service)?.memory_gbs,
    },
    replicaCount: {
        values: [0, 1],
        announced: { setHA: /^HA replicas/ },
        lines: ["HA replicas none -> 1 async"],
        group: "availability",
        shown: "number",
        wire: ({ ha_replicas: replicas }) => replicas?.replica_count ?? 0,
    },
    syncReplicaCount: {
        values: [0, 1],
        beside: [{ replicaCount: 2 }, { replicaCount: 2 }],
        announced: { setHA: /^HA replicas/ },
        lines: ["HA replicas 2 async -> 1 async + 1 sync"],
        group: "availability",
        shown: "number",
        wire: ({ ha_replicas: replicas }) => replicas?.sync_replica_count ?? 0,
    },
    connectionPooler: {
        ...pooler("enablePooler", "disablePooler"),
        lines: ["connection pooler on"],
    },
    environment: {
        values: ["DEV", "PROD"],
        announced: { setEnvironment: /^environment/ },
        lines: ["environment DEV -> PROD"],
        shown: "string",
        wire: ({ metadata }) => metadata?.environment,
    },
    paused: {
        values: [false, true],
        announced: { startService: /^resume/, stopService: /^pause/ },
        calls: (_from, to) => [to === true ? "stopService" : "startService"],
        lines: ["pause, connections end"],
        shown: "boolean",
        wire: ({ status }) => status === "PAUSED",
    },
    regionCode: fixed(["us-east-1", "eu-west-1"], (service) => service.region_code),
    addons: { values: [["ai"], ["time-series"]], replaces: true },
    fork: {
        values: ({ Service: [serviceId] }) => [undefined, { serviceId, strategy: "NOW" }],
        replaces: true,
        shows: { fork: "add-replace" },
    },

    ...verification,
};

/** The test cases of the properties of `fork`. */
export const forkCases: PropertyCases<Fork, unknown> = {
    serviceId: {
        values: ({ Service }) => Service,
        beside: [{ strategy: "NOW" }, { strategy: "NOW" }],
        isIgnored: true,
    },
    strategy: {
        values: ["NOW", "LAST_SNAPSHOT"],
        beside: ({ Service: [serviceId] }) => [{ serviceId }, { serviceId }],
        replaces: true,
    },
    targetTime: {
        values: ({ time }) => [time(0), time(1)],
        beside: ({ Service: [serviceId] }) => [
            { serviceId, strategy: "PITR" },
            { serviceId, strategy: "PITR" },
        ],
        replaces: true,
    },
};

const sizes = [
    {},
    { cpuMillis: 500, memoryGbs: 2 },
    { cpuMillis: 1000, memoryGbs: 4 },
    { cpuMillis: 2000, memoryGbs: 8 },
    { cpuMillis: 4000 },
    { memoryGbs: 4 },
    { cpuMillis: "shared", memoryGbs: "shared" },
] as const;

const availability = [
    {},
    { replicaCount: 0 },
    { replicaCount: 1 },
    { replicaCount: 2 },
    { replicaCount: 2, syncReplicaCount: 1 },
    { replicaCount: 2, syncReplicaCount: 0 },
];

/** The password, in the state or outside of it. */
const passwords = [
    {},
    { password: "first-password" },
    { password: "second-password" },
    ...passwordVariables.flatMap((passwordVariable) =>
        [1, 2].map((passwordVersion) => ({ passwordVariable, passwordVersion })),
    ),
];

const [first, second] = symbols.Service;

export const service: KindCase<ServiceInputs, Schemas["Service"]> = {
    name: "orders",
    inputs: () => ({}),
    properties,
    together: { size: sizes, availability, password: passwords },
    forms: [
        { also: ["name"], fixed: [{}, { regionCode: "us-east-1" }, { addons: ["ai", "time-series"] }] },
        {
            fixed: combined({ serviceId: [first, second], strategy: ["NOW", "LAST_SNAPSHOT"] }).map((fork) => ({
                name: "copy",
                fork,
            })),
        },
        { fixed: combined({ existingId: [first, second, "nosuchone1"] }) },
    ],
    outputs: {
        serviceId: "string",
        status: "string",
        serviceType: "string",
        created: "string",
        vpcHost: "string?",
        vpcPort: "number?",
        forkedFrom: "object?",
        ...endpoints,
    },
    secrets: [
        ...["password", "initialPassword", "currentPassword"],
        ...["connectionString", "poolerConnectionString", "vpcConnectionString"],
    ],
    creations: { createService: /^create service/, forkService: /^fork/ },
    create: async (call, _refs, index) => {
        const input = { cpu_millis: "500", memory_gbs: "2", region_code: "us-east-1" };
        return (await call("createService", {}, { name: `p${index}`, ...input })).service_id;
    },
    exercises: {
        listServices: {
            sends: `GET ${collection}`,
            answers: [{ service_id: "{service_id}", status: "READY" }],
        },
        createService: {
            sends: `POST ${collection}`,
            body: { name: "db", replica_count: 1, addons: ["ai"], environment_tag: "PROD", ...size },
            status: 202,
            answers: { name: "db", status: "QUEUED", metadata: { environment: "PROD" }, initial_password: text },
            rejects: [
                [{ name: undefined }, "name"],
                [{ name: "" }, "name"],
                [{ name: "x".repeat(129) }, "name"],
                [{ name: "a\u0000b" }, "control characters"],
                [{ cpu_millis: "750", memory_gbs: undefined }, "500/2, 1000/4"],
                [{ cpu_millis: "500", memory_gbs: "4" }, "500/2"],
                [{ cpu_millis: "shared", memory_gbs: "2" }, "both"],
                [{ cpu_millis: 500 }, "cpu_millis must be string"],
                [{ memory_gbs: "much" }, "memory_gbs"],
                [{ cpu_millis: "0", memory_gbs: "0" }, "above 0"],
                [{ region_code: "mars-1" }, "us-east-1, us-east-2"],
                [{ replica_count: 3 }, "0 to 2"],
                [{ replica_count: -1 }, "replica_count"],
                [{ addons: ["gis"] }, "time-series, ai"],
                [{ environment_tag: "TEST" }, "DEV, PROD"],
            ],
        },
        getService: {
            sends: `GET ${path}`,
            answers: { service_id: "{service_id}", project_id: "{project_id}", status: "READY" },
        },
        deleteService: {
            sends: `DELETE ${path}`,
            status: 202,
        },
        startService: {
            after: "stopService",
            sends: `POST ${path}/start`,
            status: 202,
            answers: { service_id: "{service_id}" },
        },
        stopService: {
            sends: `POST ${path}/stop`,
            needsRunning: true,
            status: 202,
            answers: { service_id: "{service_id}" },
            rejects: [[{}, "does not accept a body"]],
        },
        attachToVPC: {
            sends: `POST ${path}/attachToVPC`,
            needsRunning: true,
            body: { vpc_id: "{vpc_id}" },
            status: 202,
            answers: message,
            through: ["CONFIGURING", "vpcChange"],
            rejects: [
                [{ vpc_id: "vpc-1" }, "vpc_id"],
                [{}, "same region", { createVpc: { name: "far", cidr: "10.9.0.0/16", region_code: "eu-west-1" } }],
            ],
        },
        detachFromVPC: {
            after: "attachToVPC",
            sends: `POST ${path}/detachFromVPC`,
            body: { vpc_id: "{vpc_id}" },
            status: 202,
            answers: message,
            sets: { vpcId: undefined },
            through: ["CONFIGURING", "vpcChange"],
        },
        resizeService: {
            sends: `POST ${path}/resize`,
            needsRunning: true,
            body: size,
            status: 202,
            answers: { service_id: "{service_id}" },
            through: ["CONFIGURING", "resize"],
        },
        ...poolerExercises("enablePooler", "disablePooler", path),
        forkService: {
            sends: `POST ${path}/forkService`,
            needsRunning: true,
            body: { fork_strategy: "NOW", name: "copy", environment_tag: "PROD", ...size },
            status: 202,
            answers: {
                name: "copy",
                metadata: { environment: "PROD" },
                forked_from: { service_id: "{service_id}" },
                resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }],
                initial_password: text,
            },
            rejects: [
                [{ fork_strategy: "LATER" }, "LAST_SNAPSHOT, NOW, PITR"],
                [{ fork_strategy: undefined }, "fork_strategy"],
                [{ fork_strategy: "PITR" }, "target_time is required"],
                [{ fork_strategy: "PITR", target_time: "noon" }, "target_time"],
                [{ fork_strategy: "PITR", target_time: "2001-01-01T00:00:00Z" }, "out of range"],
                [{ target_time: "2030-01-01T00:00:00Z" }, "requires fork_strategy PITR"],
            ],
        },
        updatePassword: {
            sends: `POST ${path}/updatePassword`,
            body: { password: "new pass word" },
            status: 204,
            rejects: [
                [{ password: "short" }, "8 characters"],
                [{ password: "secret\u0000secret" }, "password must not"],
            ],
        },
        setEnvironment: {
            sends: `POST ${path}/setEnvironment`,
            body: { environment: "PROD" },
            answers: message,
        },
        renameService: {
            sends: `POST ${path}/rename`,
            body: { name: "other" },
            answers: { service_id: "{service_id}", name: "other", status: "READY" },
            rejects: [
                [{ name: "" }, "name"],
                [{ name: "n".repeat(129) }, "name"],
            ],
        },
        getServiceLogs: {
            query: { search: ["ready"] },
            sends: `GET ${path}/logs?search=ready`,
            answers: { logs: list, entries: list },
            rejects: [
                [{ cursor: "1" }, "cursor is invalid"],
                [{ node: "1" }, "does not exist"],
                [{ node: "primary" }, "node"],
                [{ search: "" }, "search"],
                [{ since: "yesterday" }, "since"],
            ],
        },
        setHA: {
            sends: `POST ${path}/setHA`,
            needsRunning: true,
            body: { replica_count: 2, sync_replica_count: 1 },
            status: 202,
            answers: { service_id: "{service_id}" },
            through: ["CONFIGURING", "setHA"],
            rejects: [
                [{ replica_count: undefined, sync_replica_count: undefined }, "fewer than 1"],
                [{ replica_count: 3 }, "0 to 2"],
                [{ sync_replica_count: 2 }, "0 or 1"],
                [{ replica_count: undefined }, "requires replica_count 2"],
                [{ replica_count: "1" }, "integer"],
            ],
        },
    },
    items: ({ services }) => services.map((item) => ({ id: item.service_id, status: item.status, item })),
    settled: ({ paused }) => (paused === true ? "PAUSED" : "READY"),
    deleteByHand: (emulator, id) => emulator.deleteService(id),
};

/** The two states of the program; the second changes everything that can be changed. */
export type Phase = "create" | "change" | "destroy";

/** What is declared after a phase, as the emulator shows it; nothing after the last one. */
export const declared = {
    create: {
        vpc: { name: "crash-net", cidr: "10.0.0.0/16" },
        peering: { peer_vpc_id: "vpc-1", status: "active" },
        service: {
            name: "crash-db",
            status: "READY",
            cpu: 500,
            replicas: 0,
            environment: "DEV",
            pooler: false,
            attached: true,
        },
        set: { name: "crash-readers", status: "active", nodes: 1, cpu_millis: 500, pooler: false },
    },
    change: {
        vpc: { name: "crash-net-2", cidr: "10.0.0.0/16" },
        peering: { peer_vpc_id: "vpc-2", status: "active" },
        service: {
            name: "crash-db",
            status: "READY",
            cpu: 1000,
            replicas: 1,
            environment: "PROD",
            pooler: true,
            attached: false,
        },
        set: { name: "crash-readers", status: "active", nodes: 2, cpu_millis: 1000, pooler: true },
    },
} as const;

export const changedPassword = "the-password-of-the-second-program";

/** What stands in the program for a resource that is taken over. */
export type Existing = Partial<Record<"net" | "peer" | "db" | "readers", string>>;

export const stackName = "test";
export const projectFile = "name: crash\nruntime: nodejs\n";
export const peeringUrn = `urn:pulumi:${stackName}::crash::pulumi-nodejs:dynamic/clouddb:Peering::peer`;

/** Reads what varies from a file beside it, so that a run only has to change that. */
export const program = `
const { Vpc, Peering, Service, ReadReplicaSet } = require("pulumi-clouddb");
const { phase, existing } = require("./declared.json");
const changed = phase === "change";
const adopt = (name) => (existing[name] === undefined ? {} : { existingId: existing[name] });

const net = new Vpc("net", {
    name: changed ? "crash-net-2" : "crash-net", cidr: "10.0.0.0/16", regionCode: "us-east-1", ...adopt("net"),
});
new Peering("peer", {
    vpcId: net.vpcId, peerAccountId: "123456789012", peerRegionCode: "us-east-1",
    peerVpcId: changed ? "vpc-2" : "vpc-1", ...adopt("peer"),
});
const db = new Service("db", {
    name: "crash-db", cpuMillis: changed ? 1000 : 500, memoryGbs: changed ? 4 : 2,
    ...(changed
        ? { replicaCount: 1, environment: "PROD", connectionPooler: true, password: ${JSON.stringify(changedPassword)} }
        : { vpcId: net.vpcId }),
    ...adopt("db"),
});
new ReadReplicaSet("readers", {
    serviceId: db.serviceId, name: "crash-readers", nodes: changed ? 2 : 1, cpuMillis: changed ? 1000 : 500,
    memoryGbs: changed ? 4 : 2, ...(changed ? { connectionPooler: true, environment: "PROD" } : {}), ...adopt("readers"),
});
exports.connectionString = db.connectionString;
exports.serviceId = db.serviceId;
`;

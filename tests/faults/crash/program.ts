import { packageName } from "../../support/engine";

/** The two programs. The second one changes every input that can change. */
export type Declaration = "first" | "second";

/** What each program declares, as the emulator shows it. */
export const declared = {
    first: {
        vpc: { name: "crash-net", cidr: "10.0.0.0/16" },
        peering: { peer_vpc_id: "vpc-1", status: "active" },
        service: { name: "crash-db", cpu: 500, replicas: 0, environment: "DEV", pooler: false, attached: true },
        set: { name: "crash-readers", status: "active", nodes: 1, cpu_millis: 500, pooler: false },
    },
    second: {
        vpc: { name: "crash-net-2", cidr: "10.0.0.0/16" },
        peering: { peer_vpc_id: "vpc-2", status: "active" },
        service: { name: "crash-db-2", cpu: 1000, replicas: 1, environment: "PROD", pooler: true, attached: false },
        set: { name: "crash-readers", status: "active", nodes: 2, cpu_millis: 1000, pooler: true },
    },
} as const;

export const changedPassword = "the-password-of-the-second-program";

/** The `existingId` lines of the program. */
export type Existing = Partial<Record<"net" | "peer" | "db" | "readers", string>>;

/** What a phase changes in the program. */
export interface Variant {
    /** `deletionProtection: false`. By default, services are protected. */
    readonly isUnprotected?: boolean;
    /** The database gets another name in the program, without an alias. */
    readonly isRenamed?: true;
    /** The `customTimeouts` of all resources. */
    readonly timeout?: string;
}

export const stackName = "test";

/** Reads the variable parts from `declared.json`, so that a run changes only that file. */
export const program = `
const { Vpc, Peering, Service, ReadReplicaSet } = require("${packageName}");
const { program, existing, isUnprotected, isRenamed, timeout } = require("./declared.json");
const customTimeouts = { create: timeout, update: timeout, delete: timeout };
const changed = program === "second";
const protection = isUnprotected ? { deletionProtection: false } : {};
const adopt = (name) => (existing[name] === undefined ? {} : { existingId: existing[name] });

const net = new Vpc("net", {
    name: changed ? "crash-net-2" : "crash-net", cidr: "10.0.0.0/16", regionCode: "us-east-1", ...adopt("net"),
}, { customTimeouts });
new Peering("peer", {
    vpcId: net.vpcId, peerAccountId: "123456789012", peerRegionCode: "us-east-1",
    peerVpcId: changed ? "vpc-2" : "vpc-1", ...adopt("peer"),
}, { customTimeouts });
const db = new Service(isRenamed ? "renamed-db" : "db", {
    name: changed ? "crash-db-2" : "crash-db", cpuMillis: changed ? 1000 : 500, memoryGbs: changed ? 4 : 2,
    ...(changed
        ? { replicaCount: 1, environment: "PROD", connectionPooler: true, password: ${JSON.stringify(changedPassword)} }
        : { vpcId: net.vpcId }),
    ...protection, ...adopt("db"),
}, { customTimeouts });
const readers = new ReadReplicaSet("readers", {
    serviceId: db.serviceId, name: "crash-readers", nodes: changed ? 2 : 1, cpuMillis: changed ? 1000 : 500,
    memoryGbs: changed ? 4 : 2, ...(changed ? { connectionPooler: true, environment: "PROD" } : {}), ...adopt("readers"),
    password: db.currentPassword,
}, { customTimeouts });
exports.connectionString = db.connectionString;
exports.replicaConnectionString = readers.connectionString;
exports.serviceId = db.serviceId;
`;

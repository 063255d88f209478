import type { ResourceName, Shown, Wire } from "../messages";
import { address, camelled, count, labelOf, nameOf, size, usage } from "./format";

// How the page presents each resource kind: as its fields, unless a row here says more.

export type Inputs = Readonly<Record<string, unknown>>;

/** A part of the line below a name. A part with a kind and an id is a link. */
type Part = string | undefined | ({ text: string } & ResourceName);

interface Presentation<Model> {
    /** The table with its rows. */
    readonly table: "services" | "networks" | "others";
    /** The statuses of a resource that works, and of one that rests. Others are failures, or changes in progress. */
    readonly good: readonly string[];
    readonly idle: readonly string[];
    /** What follows its id below its name. */
    readonly meta: (value: Model) => readonly Part[];
    /** Its size and its number of nodes. */
    readonly size: (value: Model) => readonly string[];
    /** Its addresses, each with what it is. The most important one needs no label. */
    readonly addresses: (
        value: Model,
        nameOf: (resource: ResourceName) => string | undefined,
    ) => readonly (readonly [text: string | undefined, label: string])[];
    /** The text of its main button, and the control that it calls. `connect`: it shows how to connect to the database. */
    readonly button: readonly [text: string, control: string] | "connect";
    /** Its inputs in a program that are not properties of its model. */
    readonly inputs: (value: Model) => Inputs;
    /** Values with which its creation succeeds, in a resource with these inputs. */
    readonly sample: (parent: Inputs) => Inputs;
}

const row = <Model>(own: Partial<Presentation<Model>>): Partial<Presentation<Model>> => own;

export const presentations = {
    vpcs: row<Wire["Vpc"] & { project_id: string }>({
        table: "networks",
        meta: ({ region_code }) => [region_code],
        addresses: ({ cidr }) => [[cidr, ""]],
        button: ["Rename", "updateVpc"],
        sample: () => ({ name: "sample", cidr: "10.0.0.0/16", regionCode: "us-east-1" }),
    }),
    peerings: row<Wire["Peering"] & { vpc_id: string }>({
        table: "networks",
        good: ["active"],
        meta: ({ provisioned_id }) => [provisioned_id],
        addresses: ({ error_message, peer_account_id, peer_region_code }) => [
            [peer_account_id, "account"],
            [peer_region_code, "region"],
            [error_message && nameOf(error_message), "error"],
        ],
        button: ["Accept peering", "acceptPeering"],
        sample: () => ({
            peerAccountId: "123456789012",
            peerRegionCode: "us-east-1",
            peerVpcId: "vpc-0a1b2c3d4e5f67890",
        }),
    }),
    services: row<Wire["Service"] & { project_id: string }>({
        table: "services",
        good: ["READY"],
        idle: ["PAUSED"],
        meta: ({ forked_from, region_code }) => [
            region_code,
            forked_from?.service_id === undefined
                ? undefined
                : { text: "fork of ", kind: "services", id: forked_from.service_id },
        ],
        size: ({ ha_replicas, metrics, resources }) => {
            const { spec } = resources[0] ?? {};
            const { replica_count: all = 0, sync_replica_count: sync = 0 } = ha_replicas ?? {};
            const replicas = all === 0 ? "" : `${all} HA${sync > 0 ? `, ${sync} sync` : ""}`;
            return [size(spec?.cpu_millis, spec?.memory_gbs), replicas, usage(metrics)];
        },
        addresses: ({ connection_pooler, endpoint, vpc_endpoint: vpc }, nameOf) => [
            [address(endpoint), ""],
            [address(connection_pooler?.endpoint), "pooler"],
            [address(vpc), `VPC ${nameOf({ kind: "vpcs", id: vpc?.vpc_id ?? "" }) ?? vpc?.vpc_id ?? ""}`],
        ],
        button: "connect",
        inputs: ({ connection_pooler, ha_replicas, metadata, resources, vpc_endpoint }) => ({
            ...camelled(resources[0]?.spec),
            ...camelled(ha_replicas),
            environment: metadata?.environment,
            vpcId: vpc_endpoint?.vpc_id,
            connectionPooler: connection_pooler !== undefined,
        }),
    }),
    replicaSets: row<Wire["ReadReplicaSet"] & { service_id: string }>({
        table: "services",
        good: ["active"],
        size: ({ cpu_millis, memory_gbs, nodes }) => [size(cpu_millis, memory_gbs), count(nodes, "node")],
        addresses: ({ connection_pooler, endpoint }) => [
            [address(endpoint), ""],
            [address(connection_pooler?.endpoint), "pooler"],
        ],
        button: "connect",
        inputs: ({ connection_pooler, metadata }) => ({
            environment: metadata?.environment,
            connectionPooler: connection_pooler !== undefined,
        }),
        sample: ({ name, cpuMillis = 500, memoryGbs = 2 }) => ({
            name: `${String(name)}-replica`,
            cpuMillis,
            memoryGbs,
            nodes: 1,
        }),
    }),
};

/** The kinds with a row. The kind of another resource is none of them. */
export type Kind = keyof typeof presentations;

/** The model of each kind. */
export type Models = {
    [K in Kind]: (typeof presentations)[K] extends Partial<Presentation<infer Model>> ? Model : never;
};

/** A resource on the page. */
export type Resource<K extends Kind = Kind> = { [One in K]: Shown<One, Models[One]> }[K];

/** How the page presents the resources of a kind. */
export function presentationOf(kind: string): Presentation<object> {
    const one = kind.replace(/ies$/, "y").replace(/s$/, "");
    const singular = one.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const own = (presentations as Readonly<Record<string, Partial<Presentation<object>>>>)[kind];
    return {
        table: "others",
        good: [],
        idle: [],
        meta: () => [],
        size: () => [],
        addresses: (value) =>
            fieldsOf(value)
                .filter(([name, one]) => name !== "name" && typeof one !== "object")
                .map(([name, one]) => [nameOf(String(one)), labelOf(name)]),
        button: ["Delete", `delete${singular}`],
        inputs: () => ({}),
        sample: () => ({ name: "sample" }),
        ...own,
    };
}

/** The inputs of a resource as it is. */
export const inputsOf = ({ kind, value }: Pick<Resource, "kind" | "value">): Inputs => ({
    ...camelled(Object.fromEntries(fieldsOf(value))),
    ...presentationOf(kind).inputs(value),
});

/** The fields of a model that a program may set. */
const fieldsOf = (value: object): [string, unknown][] =>
    Object.entries(value).filter(([name]) => !/^(id|status|\w+_id)$/.test(name));

const statusesOf = (tone: "good" | "idle"): RegExp => {
    const statuses = Object.keys(presentations).flatMap((kind) => presentationOf(kind)[tone]);
    return new RegExp(`^(${statuses.join("|")})$`, "i");
};

const tones = {
    good: statusesOf("good"),
    idle: statusesOf("idle"),
    bad: /^(unstable|error|failed|rejected|expired)$/i,
};

/** The colour of a status. An unknown status looks like one in progress. */
export const toneOf = (status: string): string =>
    Object.entries(tones).find(([, pattern]) => pattern.test(status))?.[0] ?? "busy";

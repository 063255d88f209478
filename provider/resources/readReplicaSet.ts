import type { ReadReplicaSet as WireReplicaSet } from "../api/contract";
import type { knownReplicaSetStatusValues } from "../api/operations.gen";
import { failed, pending, ready, type Outcome } from "../wait/outcome";
import type { CommonInputs, Findings, Memory, Path, Plan, Resource, Step } from "./contract";
import {
    flag,
    oneOf,
    optional,
    pattern,
    plain,
    remembered,
    replacements,
    required,
    show,
    text,
    wholeNumber,
    type Fields,
} from "./fields";
import { orGone, orNone } from "./look";
import { wanted } from "./memory";
import { running, sourceOfServices } from "./service/observed";
import { formatSize, sizeAdvice, wireSize } from "./size";
import { about } from "./activity";
import { inTurn, insist, patience } from "./send";
import { observeUntil } from "./steps";
import { unknown, type Planned } from "./unknown";

/** A set of read-only copies of a service, behind one endpoint of their own. */
export interface ReadReplicaSetInputs extends CommonInputs {
    /** The service that is copied; a change replaces the set. */
    serviceId: string;
    /**
     * Its name; a change replaces the set.
     * @default made from the resource's name and a short hash of its URN
     */
    name?: string;
    /** The number of nodes, documented as 1 to 10; a change resizes in place (`POST …/replicaSets/{id}/resize`). */
    nodes: number;
    /** CPU of each node in millicores; a change resizes in place. */
    cpuMillis: number;
    /** Memory of each node in gigabytes; a change resizes in place. */
    memoryGbs: number;
    /**
     * Whether there is a connection pooler in front of it; a change switches it in place (`enablePooler`, `disablePooler`).
     * @default false
     */
    connectionPooler?: boolean;
    /**
     * Its environment tag; a change sets it in place (`setEnvironment`).
     * @default the service's choice; when left out it is left alone
     */
    environment?: "DEV" | "PROD";
}

/** What is seen of a read replica set. */
export interface ReadReplicaSetObserved {
    /** The service that is copied. */
    readonly serviceId: string;
    /** Its name. */
    readonly name: string;
    /** The number of nodes. */
    readonly nodes: number;
    /** CPU of each node in millicores. */
    readonly cpuMillis: number;
    /** Memory of each node in gigabytes. */
    readonly memoryGbs: number;
    /** Whether there is a connection pooler in front of it. */
    readonly connectionPooler: boolean;
    /** Its environment tag. */
    readonly environment: string | undefined;
    /** Its id within the service. */
    readonly replicaSetId: string;
    /** Its status: `active`, or one on the way. */
    readonly status: string;
    /** Host of its endpoint. */
    readonly host: string | undefined;
    /** Port of its endpoint. */
    readonly port: number | undefined;
    /** Host of the connection pooler, where there is one. */
    readonly poolerHost: string | undefined;
    /** Port of the connection pooler, where there is one. */
    readonly poolerPort: number | undefined;
}

/** The documented bound of a set. */
const mostNodes = 10;

const fields: Fields<ReadReplicaSetInputs> = {
    projectId: optional("replace", text()),
    existingId: optional(
        "ignore",
        pattern(/^([a-z0-9]+\/)?[a-z0-9]+$/, "the id of a replica set, as REPLICA_SET or SERVICE/REPLICA_SET"),
    ),
    serviceId: required("replace", text()),
    name: optional("replace", text()),
    nodes: required("update", wholeNumber(1)),
    cpuMillis: required("update", wholeNumber(1)),
    memoryGbs: required("update", wholeNumber(1)),
    connectionPooler: optional("update", flag),
    environment: optional("update", oneOf(["DEV", "PROD"])),
};

type Status = (typeof knownReplicaSetStatusValues)[number];

const outcomes: Readonly<Record<Status, Outcome>> = {
    creating: pending("creating"),
    active: ready,
    resizing: pending("resizing"),
    deleting: failed("deleting", "it is being deleted"),
    error: failed("error", "the service reports an error and gives no reason; see its log, or replace the set"),
};

/** A status that is not in the table is one on the way. */
function settled({ status }: WireReplicaSet): Outcome {
    return status in outcomes ? outcomes[status as Status] : pending(status);
}

function step(parts: Pick<Step<WireReplicaSet>, "call" | "text">, done: (seen: Seen) => boolean) {
    return {
        ...parts,
        before: settled,
        after: (item: WireReplicaSet): Outcome => {
            const outcome = settled(item);
            return outcome.kind === "ready" && !done(observe(item))
                ? pending(item.status, "change not visible yet")
                : outcome;
        },
    };
}

function plan(state: ReadReplicaSetObserved & Memory, declared: Planned<ReadReplicaSetInputs>): Plan<WireReplicaSet> {
    const replace = replacements(fields, state, declared);
    const remember = remembered(state, declared, fields);
    return { replace, remember, steps: replace.length > 0 ? [] : steps(state, declared) };
}

function steps(
    state: ReadReplicaSetObserved & Memory,
    declared: Planned<ReadReplicaSetInputs>,
): Step<WireReplicaSet>[] {
    const { nodes, cpuMillis, memoryGbs } = declared;
    const pooler = wanted<ReadReplicaSetInputs, "connectionPooler">(state, declared, "connectionPooler", false);
    // What the program leaves open is left alone.
    const environment = declared.environment ?? state.environment;
    const result: Step<WireReplicaSet>[] = [];
    if (nodes !== state.nodes || cpuMillis !== state.cpuMillis || memoryGbs !== state.memoryGbs) {
        const body = {
            cpu_millis: wireSize(cpuMillis),
            memory_gbs: wireSize(memoryGbs),
            ...(nodes === state.nodes ? {} : { nodes: nodes as number }),
        };
        result.push(
            step(
                {
                    call: { operation: "resizeReplicaSet", body },
                    text: `resize ${describe(state)} -> ${describe({ nodes, cpuMillis, memoryGbs })}`,
                },
                (seen) => seen.nodes === nodes && seen.cpuMillis === cpuMillis && seen.memoryGbs === memoryGbs,
            ),
        );
    }
    if (pooler !== state.connectionPooler) {
        const operation = pooler === false ? "disableReplicaSetPooler" : "enableReplicaSetPooler";
        const verb =
            pooler === unknown
                ? "connection pooler -> (known after apply)"
                : `connection pooler ${pooler ? "on" : "off"}`;
        result.push(step({ call: { operation }, text: verb }, (seen) => seen.connectionPooler === pooler));
    }
    if (environment !== state.environment) {
        const body = { environment: environment as "DEV" | "PROD" };
        result.push(
            step(
                {
                    call: { operation: "setReplicaSetEnvironment", body },
                    text: `environment ${state.environment ?? "none"} -> ${plain(environment)}`,
                },
                (seen) => seen.environment === environment,
            ),
        );
    }
    return result;
}

function describe({
    nodes,
    cpuMillis,
    memoryGbs,
}: Pick<Planned<ReadReplicaSetInputs>, "nodes" | "cpuMillis" | "memoryGbs">) {
    return `${show(nodes)} x ${formatSize(cpuMillis, memoryGbs)}`;
}

type Seen = Omit<ReadReplicaSetObserved, "serviceId">;

/** The one mapping from the service's answer to what the state holds, but for the id of the parent, which is in the path. */
function observe(item: WireReplicaSet): Seen {
    const pooler = item.connection_pooler?.endpoint;
    return {
        name: item.name,
        nodes: item.nodes,
        cpuMillis: item.cpu_millis,
        memoryGbs: item.memory_gbs,
        connectionPooler: pooler !== undefined,
        environment: item.metadata?.environment,
        replicaSetId: item.id,
        status: item.status,
        host: item.endpoint?.host,
        port: item.endpoint?.port,
        poolerHost: pooler?.host,
        poolerPort: pooler?.port,
    };
}

function examine({ nodes, cpuMillis, memoryGbs }: Planned<ReadReplicaSetInputs>): Findings {
    const sizes = sizeAdvice(cpuMillis, memoryGbs);
    const advice = [
        ...(sizes === undefined ? [] : [{ property: "cpuMillis", text: sizes }]),
        ...(typeof nodes === "number" && nodes > mostNodes
            ? [
                  {
                      property: "nodes",
                      text: `nodes ${nodes} is above the documented ${mostNodes}; the service may refuse it`,
                  },
              ]
            : []),
    ];
    return { problems: [], advice };
}

function pathOf(projectId: string, id: string): Path {
    const [serviceId = "", replicaSetId = ""] = id.split("/");
    return { project_id: projectId, service_id: serviceId, replica_set_id: replicaSetId };
}

const idOf = (item: WireReplicaSet, { service_id: serviceId = "" }: Path) => `${serviceId}/${item.id}`;

/** The read replica set resource. */
export const readReplicaSet: Resource<ReadReplicaSetInputs, ReadReplicaSetObserved, WireReplicaSet> = {
    type: "ReadReplicaSet",
    noun: "read replica set",
    fields,
    keeps: [],
    examine,
    identity: ({ projectId, serviceId, name }) => [projectId, serviceId, name],
    times: () => ({ create: 60 * 60_000, update: 60 * 60_000, delete: 30 * 60_000, usual: 10 * 60_000 }),

    pathOf,
    idOf,
    adoptedId: (existingId, { serviceId }) => (existingId.includes("/") ? existingId : `${serviceId}/${existingId}`),
    nameOf: ({ name }) => (typeof name === "string" ? name : undefined),
    source: (path, client) => {
        const { project_id: projectId, service_id: serviceId = "" } = path;
        return {
            key: `read replica sets of service ${serviceId} in project ${projectId}`,
            list: (options) => orNone(client.listReplicaSets(projectId, serviceId, options)),
            idOf: (item) => idOf(item, path),
        };
    },

    observe: (item, { service_id: serviceId = "" }) => ({ serviceId, ...observe(item) }),
    settled,
    turn: ({ service_id: serviceId = "" }) => ({ serviceId, lasts: "answered" }),
    leaving: ({ status }) => status === "deleting",

    plan,
    birth: ({ serviceId, name, nodes, cpuMillis, memoryGbs }) => ({
        text: `create read replica set ${show(name)} of service ${show(serviceId)}: ${describe({ nodes, cpuMillis, memoryGbs })}`,
        observed: {
            serviceId,
            name,
            nodes,
            cpuMillis,
            memoryGbs,
            connectionPooler: false,
        } as Partial<ReadReplicaSetObserved>,
    }),
    home: (projectId, { serviceId }) => ({ project_id: projectId, service_id: serviceId }),
    sameAs: (item, { name }) => item.name === name,
    prepare: async ({ serviceId }, home, run) => {
        const subject = `Service ${show(serviceId)}`;
        const source = sourceOfServices(home, run.client);
        await observeUntil(
            running,
            { subject, id: serviceId, path: home, source },
            run,
            about(undefined, "waiting for its service"),
        );
    },
    make: async ({ serviceId, name = "", nodes, cpuMillis, memoryGbs }, { project_id: projectId }, run) => {
        const body = { name, nodes, cpu_millis: cpuMillis, memory_gbs: memoryGbs };
        const subject = `Read replica set ${show(name)}`;
        const activity = about("createReplicaSet", "creating");
        const send = () => run.client.createReplicaSet(projectId, serviceId, body, patience(run));
        return {
            operation: "createReplicaSet",
            item: await insist(() => inTurn(serviceId, send, subject, run, activity), subject, run, activity),
        };
    },
    unfit: (item, { service_id: parent = "" }, { serviceId, name }) => {
        if (parent !== serviceId) {
            return `it belongs to service ${parent}, and the program declares service ${serviceId}`;
        }
        return name === undefined || name === item.name
            ? undefined
            : `its name is ${show(item.name)}, the program declares ${show(name)}, and a replica set cannot be renamed`;
    },
    remove: async ({ project_id: projectId, service_id: serviceId = "", replica_set_id: id = "" }, run) => {
        await orGone(run.client.deleteReplicaSet(projectId, serviceId, id, patience(run)));
    },
};

import type { ReadReplicaSet as WireReplicaSet, Service as WireService } from "../api/contract";
import type { knownReplicaSetStatusValues } from "../api/operations.gen";
import { failed, pending, ready, type Outcome } from "../wait/outcome";
import type { CommonInputs, StateMetadata, Path, Plan, Resource, Step } from "../lifecycle/resource";
import { differences } from "../lifecycle/differences";
import {
    flag,
    oneOf,
    optional,
    pattern,
    plain,
    replacements,
    required,
    show,
    text,
    wholeNumber,
    type Fields,
} from "../inputs/fields";
import { recordedChanges, wanted } from "../lifecycle/metadata";
import type { OperationContext } from "../lifecycle/operation";
import { parentObstacle, running, sourceOfServices } from "./service/observed";
import { formatSize, memoryFor, sizeAdvice, wireSize } from "../inputs/size";
import { about, withLock, retryUntilAccepted, retryBudget, unlessChanging } from "../lifecycle/operation";
import { observeUntil } from "../lifecycle/steps";
import { unknown, type Planned } from "../inputs/unknown";
import type { Findings } from "../inputs/finding";

/** A set of read-only copies of a service, behind one endpoint of their own. */
export interface ReadReplicaSetInputs extends CommonInputs {
    /** The service that is copied; a change replaces the set. */
    serviceId: string;
    /**
     * Its name; a change replaces the set.
     * @default made from the resource's name and a short hash of its URN
     */
    name?: string;
    /**
     * The number of nodes, documented as 1 to 10; a change resizes in place (`POST …/replicaSets/{id}/resize`).
     * @default 1
     */
    nodes?: number;
    /** CPU of each node in millicores; a change resizes in place. */
    cpuMillis: number;
    /**
     * Memory of each node in gigabytes, documented as `cpuMillis / 250`; a change resizes in place.
     * @default `cpuMillis / 250`; when left out later, it is kept until `cpuMillis` changes
     */
    memoryGbs?: number;
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
    deletionProtection: optional("stateOnly", flag),
    serviceId: required("replace", text()),
    name: optional("replace", text()),
    nodes: optional("update", wholeNumber(1)),
    cpuMillis: required("update", wholeNumber(1)),
    memoryGbs: optional("update", wholeNumber(1)),
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
function readiness({ status }: WireReplicaSet): Outcome {
    return status in outcomes ? outcomes[status as Status] : pending(status);
}

function step(
    parts: Pick<Step<WireReplicaSet>, "call" | "text">,
    sets: Readonly<Partial<Record<keyof ReadReplicaSetInputs, unknown>>>,
): Step<WireReplicaSet> {
    const differs = (item: WireReplicaSet) => differences(sets, observe(item));
    return {
        ...parts,
        before: readiness,
        after: (item) => {
            const outcome = readiness(item);
            return outcome.kind === "ready" && differs(item).length > 0
                ? pending(item.status, "change not visible yet")
                : outcome;
        },
        differs,
    };
}

function plan(
    state: ReadReplicaSetObserved & StateMetadata,
    declared: Planned<ReadReplicaSetInputs>,
): Plan<WireReplicaSet> {
    const replace = replacements(fields, state, declared);
    const record = recordedChanges(state, declared, fields);
    return { replace, record, steps: replace.length > 0 ? [] : steps(state, declared) };
}

function steps(
    state: ReadReplicaSetObserved & StateMetadata,
    declared: Planned<ReadReplicaSetInputs>,
): Step<WireReplicaSet>[] {
    const { cpuMillis } = declared;
    const nodes = wanted<ReadReplicaSetInputs, "nodes">(state, declared, "nodes", 1) ?? 1;
    const kept = cpuMillis === state.cpuMillis ? state.memoryGbs : undefined;
    const memoryGbs = declared.memoryGbs ?? kept ?? memoryFor(cpuMillis);
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
                { nodes, cpuMillis, memoryGbs },
            ),
        );
    }
    if (pooler !== state.connectionPooler) {
        const operation = pooler === false ? "disableReplicaSetPooler" : "enableReplicaSetPooler";
        const verb =
            pooler === unknown
                ? "connection pooler -> (known after apply)"
                : `connection pooler ${pooler ? "on" : "off"}`;
        result.push(step({ call: { operation }, text: verb }, { connectionPooler: pooler }));
    }
    if (environment !== state.environment) {
        const body = { environment: environment as "DEV" | "PROD" };
        result.push(
            step(
                {
                    call: { operation: "setReplicaSetEnvironment", body },
                    text: `environment ${state.environment ?? "none"} -> ${plain(environment)}`,
                },
                { environment },
            ),
        );
    }
    return result;
}

function describe({ nodes, cpuMillis, memoryGbs }: Readonly<Record<"nodes" | "cpuMillis" | "memoryGbs", unknown>>) {
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

function validate({ nodes, cpuMillis, memoryGbs }: Planned<ReadReplicaSetInputs>): Findings {
    const sizes = sizeAdvice(cpuMillis, memoryGbs);
    const warnings = [
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
    return { problems: [], warnings };
}

function pathOf(projectId: string, id: string): Path {
    const [serviceId = "", replicaSetId = ""] = id.split("/");
    return { project_id: projectId, service_id: serviceId, replica_set_id: replicaSetId };
}

const idOf = (item: WireReplicaSet, { service_id: serviceId = "" }: Path) => `${serviceId}/${item.id}`;

/** A paused or busy service rejects changes to its replica sets. */
function obstacle(path: Path, context: OperationContext): Promise<Outcome> {
    return parentObstacle(path.service_id ?? "", path, context);
}

const dayMs = 86_400_000;

/** A fresh fork has no backup yet, which a read replica set is made from. */
function hasBackup(parent: WireService, context: OperationContext): Outcome {
    const outcome = running(parent);
    const isFresh = context.wait.clock.now() - Date.parse(parent.created) < dayMs;
    return outcome.kind === "ready" && parent.forked_from !== undefined && isFresh
        ? pending(parent.status, "the fork may have no backup yet")
        : outcome;
}

/** The read replica set resource. */
export const readReplicaSet: Resource<ReadReplicaSetInputs, ReadReplicaSetObserved, WireReplicaSet> = {
    type: "ReadReplicaSet",
    noun: "read replica set",
    fields,
    stickyOutputs: [],
    validate: validate,
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
            list: (options) => client.listReplicaSets(projectId, serviceId, options),
            idOf: (item) => idOf(item, path),
            parent: { source: sourceOfServices(path, client), id: serviceId },
        };
    },

    observe: (item, { service_id: serviceId = "" }) => ({ serviceId, ...observe(item) }),
    readiness: readiness,
    lock: ({ service_id: serviceId = "" }) => ({ serviceId, lasts: "answered" }),
    isDeleting: ({ status }) => status === "deleting",
    obstacle,

    plan,
    describeCreate: ({ serviceId, name, nodes = 1, cpuMillis, memoryGbs = memoryFor(cpuMillis) as number }) => ({
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
    collectionPath: (projectId, { serviceId }) => ({ project_id: projectId, service_id: serviceId }),
    matches: (item, { name }) => item.name === name,
    prepare: async ({ serviceId }, collection, context) => {
        await observeUntil(running, {
            subject: `Service ${show(serviceId)}`,
            context,
            activity: about(undefined, "waiting for its service"),
            id: serviceId,
            path: collection,
            source: sourceOfServices(collection, context.client),
        });
    },
    create: async ({ serviceId, name = "", nodes = 1, cpuMillis, memoryGbs }, collection, context) => {
        const { project_id: projectId } = collection;
        const memory = memoryGbs ?? (memoryFor(cpuMillis) as number);
        const body = { name, nodes, cpu_millis: cpuMillis, memory_gbs: memory };
        const activity = about("createReplicaSet", "creating");
        const operation = { subject: `Read replica set ${show(name)}`, context, activity };
        const send = () => context.client.createReplicaSet(projectId, serviceId, body, retryBudget(context));
        return {
            operation: "createReplicaSet",
            item: await retryUntilAccepted(() => withLock(serviceId, send, operation), operation, {
                obstacle: async () => {
                    const cause = await parentObstacle(serviceId, collection, context, (parent) =>
                        hasBackup(parent, context),
                    );
                    return unlessChanging(cause, [serviceId], context);
                },
            }),
        };
    },
    adoptionBlocker: (item, { service_id: parent = "" }, { serviceId, name }) => {
        if (parent !== serviceId) {
            return `it belongs to service ${parent}, and the program declares service ${serviceId}`;
        }
        return name === undefined || name === item.name
            ? undefined
            : `its name is ${show(item.name)}, the program declares ${show(name)}, and a replica set cannot be renamed`;
    },
    delete: async ({ project_id: projectId, service_id: serviceId = "", replica_set_id: id = "" }, context) => {
        await context.client.deleteReplicaSet(projectId, serviceId, id, retryBudget(context));
    },
};

import { defineResource } from "../lifecycle/defineResource";
import type { ReadReplicaSet as WireReplicaSet, Service as WireService } from "../api/contract";
import type { knownReplicaSetStatusValues } from "../api/operations.gen";
import { failed, pending, ready, type Outcome } from "../wait/outcome";
import type { CommonInputs, StateMetadata, Path, Plan, Step } from "../lifecycle/resource";
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
import { formatSize, memoryFor, sizeWarning, wireSize } from "../inputs/size";
import { about, withLock, retryUntilAccepted, retryBudget, unlessChanging } from "../lifecycle/operation";
import { observeUntil } from "../lifecycle/steps";
import { unknown, type Planned } from "../inputs/unknown";
import type { Findings } from "../inputs/finding";

/** A set of read-only copies of a service behind one endpoint. */
export interface ReadReplicaSetInputs extends CommonInputs {
    /** The service that is copied. A change replaces the set. */
    serviceId: string;
    /**
     * The name of the set. A change replaces the set.
     * @default derived from the resource name and a short hash of its URN
     */
    name?: string;
    /**
     * The number of nodes, documented as 1 to 10. A change resizes the set in place (`POST …/replicaSets/{id}/resize`).
     * @default 1
     */
    nodes?: number;
    /** CPU of each node in millicores. A change resizes the set in place. */
    cpuMillis: number;
    /**
     * Memory of each node in gigabytes, documented as `cpuMillis / 250`. A change resizes the set in place.
     * @default `cpuMillis / 250`; if removed later, the memory stays as it is until `cpuMillis` changes
     */
    memoryGbs?: number;
    /**
     * Whether the set has a connection pooler. A change is made in place (`enablePooler`, `disablePooler`).
     * @default false
     */
    connectionPooler?: boolean;
    /**
     * The environment tag. A change is made in place (`setEnvironment`).
     * @default chosen by the API; if left out, it is not changed
     */
    environment?: "DEV" | "PROD";
}

/** The observed state of a read replica set. */
export interface ReadReplicaSetObserved {
    /** The service that is copied. */
    readonly serviceId: string;
    /** The name of the set. */
    readonly name: string;
    /** The number of nodes. */
    readonly nodes: number;
    /** CPU of each node in millicores. */
    readonly cpuMillis: number;
    /** Memory of each node in gigabytes. */
    readonly memoryGbs: number;
    /** Whether the set has a connection pooler. */
    readonly connectionPooler: boolean;
    /** The environment tag. */
    readonly environment: string | undefined;
    /** The id of the set within the service. */
    readonly replicaSetId: string;
    /** The status: `active`, or a status in progress. */
    readonly status: string;
    /** Host of the endpoint. */
    readonly host: string | undefined;
    /** Port of the endpoint. */
    readonly port: number | undefined;
    /** Host of the connection pooler, if there is one. */
    readonly poolerHost: string | undefined;
    /** Port of the connection pooler, if there is one. */
    readonly poolerPort: number | undefined;
}

/** The documented maximum. */
const maxNodes = 10;

const fields: Fields<ReadReplicaSetInputs> = {
    projectId: optional("replace", text()),
    existingId: optional(
        "ignore",
        pattern(
            /^([a-z0-9]+\/)?[a-z0-9]+$/,
            "the id of a read replica set in the format REPLICA_SET or SERVICE/REPLICA_SET",
        ),
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
    error: failed(
        "error",
        "the API reports an error without a reason; check the log of the service, or replace the set",
    ),
};

/** An unknown status counts as pending. */
function readiness({ status }: WireReplicaSet): Outcome {
    return status in outcomes ? outcomes[status as Status] : pending(status);
}

function step(
    parts: Pick<Step<WireReplicaSet>, "call" | "text">,
    sets: Readonly<Partial<Record<keyof ReadReplicaSetInputs, unknown>>>,
    outputs: Partial<Record<keyof ReadReplicaSetObserved, unknown>> = {},
): Step<WireReplicaSet> {
    const differs = (item: WireReplicaSet) => differences(sets, observe(item));
    return {
        ...parts,
        changes: { ...sets, ...outputs },
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
    // An environment that the program does not declare stays as it is.
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
        const change =
            pooler === unknown
                ? "connection pooler -> (known after apply)"
                : `connection pooler ${pooler ? "on" : "off"}`;
        const endpoint = pooler === false ? undefined : unknown;
        const outputs = { poolerHost: endpoint, poolerPort: endpoint };
        result.push(step({ call: { operation }, text: change }, { connectionPooler: pooler }, outputs));
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

type Observed = Omit<ReadReplicaSetObserved, "serviceId">;

/** The only mapping from a response of the API to the state. The id of the parent is in the path. */
function observe(item: WireReplicaSet): Observed {
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
    const sizes = sizeWarning(cpuMillis, memoryGbs);
    const warnings = [
        ...(sizes === undefined ? [] : [{ property: "cpuMillis", text: sizes }]),
        ...(typeof nodes === "number" && nodes > maxNodes
            ? [
                  {
                      property: "nodes",
                      text: `nodes ${nodes} exceeds the documented maximum of ${maxNodes}; the API may reject it`,
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

/** A read replica set is created from a backup, which a new fork may not have yet. */
function hasBackup(parent: WireService, context: OperationContext): Outcome {
    const outcome = running(parent);
    const isNew = context.wait.clock.now() - Date.parse(parent.created) < dayMs;
    return outcome.kind === "ready" && parent.forked_from !== undefined && isNew
        ? pending(parent.status, "the fork may have no backup yet")
        : outcome;
}

/** The read replica set resource. */
export const readReplicaSet = defineResource<ReadReplicaSetInputs, ReadReplicaSetObserved, WireReplicaSet>({
    type: "ReadReplicaSet",
    noun: "read replica set",
    fields,
    times: () => ({ create: 60 * 60_000, update: 60 * 60_000, delete: 30 * 60_000, usual: 10 * 60_000 }),
    validate,
    plan,
    identity: {
        pathOf,
        idOf,
        adoptedId: (existingId, { serviceId }) =>
            existingId.includes("/") ? existingId : `${serviceId}/${existingId}`,
        unique: ({ projectId, serviceId, name }) => [projectId, serviceId, name],
    },
    collection: {
        pathOf: (projectId, { serviceId }) => ({ project_id: projectId, service_id: serviceId }),
        source: (path, client) => {
            const { project_id: projectId, service_id: serviceId = "" } = path;
            return {
                key: `read replica sets of service ${serviceId} in project ${projectId}`,
                list: (options) => client.listReplicaSets(projectId, serviceId, options),
                idOf: (item) => idOf(item, path),
                parent: { source: sourceOfServices(path, client), id: serviceId },
            };
        },
        matches: (item, { name }) => item.name === name,
    },
    state: {
        observe: (item, { service_id: serviceId = "" }) => ({ serviceId, ...observe(item) }),
        readiness,
        isDeleting: ({ status }) => status === "deleting",
        lock: ({ service_id: serviceId = "" }) => ({ serviceId, lasts: "answered" }),
        obstacle,
    },
    creation: {
        describe: ({ serviceId, name, nodes = 1, cpuMillis, memoryGbs = memoryFor(cpuMillis) as number }) => ({
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
        send: async ({ serviceId, name = "", nodes = 1, cpuMillis, memoryGbs }, collection, context) => {
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
                : `its name is ${show(item.name)}, the program declares ${show(name)}, and a read replica set cannot be renamed`;
        },
    },
    deletion: {
        send: async ({ project_id: projectId, service_id: serviceId = "", replica_set_id: id = "" }, context) => {
            await context.client.deleteReplicaSet(projectId, serviceId, id, retryBudget(context));
        },
    },
});

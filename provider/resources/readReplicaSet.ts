import { shellQuoted, way } from "../base/message";
import type { PathOf, Schemas } from "../api/contract";
import { environmentTagValues } from "../api/wire.gen";
import { creating, deleting, failed, pending, ready, type Outcome } from "../model/outcome";
import { idsOf, lettersAndDigits } from "../model/ids";
import type { CommonInputs, Kind, Resource, State, StepOf, OperationsOn } from "../model/resource";
import { isSameText, nameText, oneOf, optional, required, requiredId, secret, show, text } from "../base/fields";
import { whenEmpty, wholeNumber, type Fields, type Planned, type Findings } from "../base/fields";
import { maxNameLength, serviceIds } from "./service/inputs";
import { mustBeRunning } from "./service/status";
import { formatSize, fullSize, newSize, sizeWarnings, wireSize } from "../base/size";
import type { FullSize, PartialSize, Size } from "../base/size";
import { commonOutputs, observing, outputsIn } from "../model/outputs";
import type { CommonOutputs, ObservedOf, OutputFields } from "../model/outputs";
import { databaseFields, endpointsWith, environmentSetBy, loginOutputs, urlOf } from "./database";
import type { DirectEndpoint, Login, PoolerInputs, Verification } from "./database";
import { maybeUnsupported, propertySteps, wanted } from "./property";

/** A set of read-only copies of a service behind one endpoint. */
export interface ReadReplicaSetInputs extends PoolerInputs, Verification, CommonInputs {
    /** The service that is copied. A change replaces the set. */
    serviceId: string;
    /**
     * The name of the set, with 1 to 128 characters. A change replaces the set.
     * @default generated from the URN
     */
    name?: string;
    /**
     * The number of nodes, documented as 1 to 10. A change resizes the set in place, and fails if the API cannot do that.
     * @default 1
     */
    nodes?: number;
    /**
     * CPU of each node in millicores, documented as 500, 1000, 2000, 4000, 8000, 16000, 32000, 48000 or 64000. It can be the
     * `cpuMillis` of the service, unless that is `"shared"`. A change resizes the set in place, and its effect on clients is
     * not documented.
     */
    cpuMillis: Size;
    /**
     * Memory of each node in gigabytes, documented as `cpuMillis / 250`. A change resizes the set in place.
     * @default `cpuMillis / 250`; if removed later, the memory stays as it is until `cpuMillis` changes
     */
    memoryGbs?: Size;
    /**
     * The environment tag. A change is made in place.
     * @default chosen by the API; if left out, it is not changed
     */
    environment?: "DEV" | "PROD";
    /**
     * The password of the service, for the connection strings, for example its `currentPassword`. It is not sent to the API.
     * The state stores it encrypted. A change updates only the state.
     * @default none
     */
    password?: string | undefined;
}

const { shown, ownId, withDefault } = outputsIn<Schemas["ReadReplicaSet"], PathOf<"listReplicaSets">>();

/** The outputs that a response shows. */
const observed = {
    ...endpointsWith("enableReplicaSetPooler", "disableReplicaSetPooler"),
    /** The id of the service that the set copies. */
    serviceId: shown((_, path) => path.service_id),
    /** The name, declared or generated. */
    name: shown((item) => item.name),
    /** The number of nodes. */
    nodes: withDefault<number>(1, (item) => item.nodes),
    /** CPU of each node in millicores. */
    cpuMillis: shown((item) => item.cpu_millis),
    /** Memory of each node in gigabytes. */
    memoryGbs: shown((item) => item.memory_gbs),
    /** The id of the set within the service. */
    replicaSetId: ownId((item) => item.id),
    /** The status at the last read, for example `active`. */
    status: shown<string>((item) => item.status),
    /** The environment tag: `DEV` or `PROD`. */
    environment: environmentSetBy("setReplicaSetEnvironment"),
};

/** The observed state of a read replica set. */
export interface ReadReplicaSetObserved extends ObservedOf<typeof observed> {}

/** The outputs of a read replica set. */
export interface ReadReplicaSetOutputs
    extends CommonOutputs, Omit<ReadReplicaSetObserved, keyof DirectEndpoint>, DirectEndpoint, Login {
    /**
     * The `postgres://` URL of the endpoint, with the input `password` if it is set. Undefined in the same cases as `host`.
     * Secret.
     */
    readonly connectionString: string;
    /** The `postgres://` URL of the connection pooler, with the same password. Undefined without a pooler. Secret. */
    readonly poolerConnectionString: string | undefined;
}

/** The documented maximum. */
const maxNodes = 10;

const ids = idsOf("read replica set", "SERVICE/REPLICA_SET", lettersAndDigits);

const fields: Fields<ReadReplicaSetInputs> = {
    ...ids.commonFields,
    serviceId: requiredId(serviceIds.own),
    name: optional("replace", nameText(maxNameLength)),
    nodes: optional("update", wholeNumber(1)),
    cpuMillis: required("update", wholeNumber(1)),
    memoryGbs: optional("update", wholeNumber(1)),
    ...databaseFields,
    environment: optional("update", oneOf(environmentTagValues)),
    // A service without a password in the state has an empty one.
    password: secret("stateOnly", whenEmpty(undefined, text())),
};

const outputs = {
    ...commonOutputs,
    ...observed,
    ...loginOutputs,
    connectionString: urlOf("host", "port", "password"),
    poolerConnectionString: urlOf("poolerHost", "poolerPort", "password"),
} satisfies OutputFields<ReadReplicaSetOutputs>;

type ReplicaSetStatus = Schemas["KnownReplicaSetStatus"];

const setOutcomes: Readonly<Record<ReplicaSetStatus, Outcome>> = {
    creating: creating("creating"),
    active: ready,
    resizing: pending("resizing"),
    deleting: deleting("deleting"),
    error: failed("error", "the API reports an error without a reason", [
        way("Continue", "check the log of the service, or replace the set"),
    ]),
};

/** An unknown status counts as pending. */
function readinessOfSet({ status }: Pick<Schemas["ReadReplicaSet"], "status">): Outcome {
    return Object.hasOwn(setOutcomes, status)
        ? setOutcomes[status as ReplicaSetStatus]
        : pending(status || "no status");
}

type SetKind = Kind<
    ReadReplicaSetInputs,
    ReadReplicaSetObserved,
    Schemas["ReadReplicaSet"],
    PathOf<"listReplicaSets">,
    Pick<ReadReplicaSetInputs, "password"> & Verification
>;
type SetState = State<SetKind>;
type SetStep = StepOf<SetKind>;

/** Two requests for two changes, so that a rejection of the size is not taken for one of the number of nodes. */
function resizeSet(state: SetState, declared: Planned<ReadReplicaSetInputs>): SetStep[] {
    const nodes = wanted(observed, state, declared, "nodes");
    // A set has a size of its own: it cannot be shared.
    const resized = newSize(state, declared) as
        Planned<Pick<ReadReplicaSetObserved, "cpuMillis" | "memoryGbs">> | undefined;
    const size = resized ?? { cpuMillis: state.cpuMillis, memoryGbs: state.memoryGbs };
    const changes: SetStep[] = [];
    if (resized !== undefined) {
        changes.push({
            call: { operation: "resizeReplicaSet", body: wireSize(size) },
            title: `resize ${formatNodes(state.nodes, state)} -> ${formatNodes(state.nodes, size)}`,
            sets: size,
        });
    }
    if (nodes !== state.nodes) {
        const title = `resize ${formatNodes(state.nodes, size)} -> ${formatNodes(nodes, size)}`;
        const isDocumented = typeof nodes !== "number" || nodes <= maxNodes;
        const remedy =
            `declare nodes: ${state.nodes} again; or set its option deleteBeforeReplace: true, and ` +
            `\`pulumi up --replace ${shellQuoted(state.record.urn)}\` replaces the set: its endpoint changes`;
        changes.push({
            call: { operation: "resizeReplicaSet", body: { ...wireSize(size), nodes: nodes as number } },
            title: isDocumented ? maybeUnsupported(title) : title,
            sets: { nodes, ...size },
            // A rejection of an undocumented number shows only that the number is wrong.
            ...(isDocumented ? { ifUnsupported: remedy } : {}),
        });
    }
    return changes;
}

function formatNodes(nodes: unknown, size: PartialSize = {}): string {
    return `${show(nodes)} x ${formatSize(size)}`;
}

function validateSet(inputs: Planned<ReadReplicaSetInputs>): Findings {
    const { password } = inputs;
    const warnings = [
        ...(password === "" ? ["password is empty: the connection strings contain the role without a password"] : []),
        ...sizeWarnings(inputs),
    ];
    return { problems: [], warnings };
}

const dayMs = 86_400_000;

/** A read replica set is created from a backup, which a new fork may not have yet. */
function withoutBackup({ forked_from: forkedFrom, created }: Schemas["Service"], now: number): string | undefined {
    const isNew = now - Date.parse(created) < dayMs;
    return forkedFrom?.service_id !== undefined && isNew ? "the fork may have no backup yet" : undefined;
}

/**
 * A set of read-only copies of a service, behind one endpoint.
 *
 * Its creation waits until the service is running, and then until the set is `active`. A change of `serviceId`, `name` or
 * `projectId` replaces the set; others are made in place. The deletion waits until the set is gone. The resource id is
 * `<serviceId>/<replicaSetId>`.
 *
 * Do not make it a child of its service with the option `parent`: it would inherit Pulumi's `protect` from a protected service.
 */
export const readReplicaSet: Resource<SetKind> = {
    type: "ReadReplicaSet",
    noun: "read replica set",
    operations: { list: "listReplicaSets", delete: "deleteReplicaSet" } satisfies OperationsOn<
        Schemas["ReadReplicaSet"]
    >,
    hasData: false,
    fields,
    outputs,
    times: () => ({ create: 60 * 60_000, update: 60 * 60_000, delete: 30 * 60_000 }),
    validate: validateSet,
    steps: (state, declared) => [...resizeSet(state, declared), ...propertySteps(observed, state, declared)],
    parent: { input: "serviceId", ...mustBeRunning, rejectsChanges: true, mayReject: withoutBackup },
    identity: { idForm: ids.idForm, unique: ({ projectId, serviceId, name }) => [projectId, serviceId, name] },
    observation: {
        observe: observing(observed),
        readiness: readinessOfSet,
    },
    creation: {
        describe: ({ serviceId, name, nodes = 1, ...size }) => ({
            text: `create read replica set ${show(name)} of service ${show(serviceId)}: ${formatNodes(nodes, fullSize(size))}`,
            sets: { name, nodes, ...fullSize(size) } as Partial<ReadReplicaSetObserved>,
        }),
        send: ({ name = "", nodes = 1, ...size }, path, { client }, options) => {
            // The check rejects other sizes.
            const { cpuMillis, memoryGbs } = fullSize(size) as Record<keyof FullSize, number>;
            const body = { name, nodes, cpu_millis: cpuMillis, memory_gbs: memoryGbs };
            return client.call("createReplicaSet", { path, body }, options);
        },
        matches: (item, { name }) => isSameText(item.name, name),
    },
};

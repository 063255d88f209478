import type { ProjectPath, Service, ServicePath } from "../../api/contract";
import type { Kind, StateMetadata, Step } from "../../contract/resource";
import { plain, show, valueOf } from "../../inputs/fields";
import { withDisruption } from "../../lifecycle/disruption";
import { wanted } from "../../lifecycle/metadata";
import { formatSize, newSize, wireSize } from "../../inputs/size";
import { hasUnknown, unknown, type Planned } from "../../inputs/unknown";
import { type Verification, movedEndpoints, poolerChange } from "../database";
import { changesOf, uncertain, type PropertyChange } from "../property";
import type { ServiceInputs } from "./inputs";
import type { ServiceObserved } from "./observed";
import type { ServiceRecorded } from "./outputs";
import { properties } from "./properties";
import { describeSource, readPassword } from "./passwordSource";
import type { Replacement } from "../../inputs/finding";

/** The state that a plan of a service starts from. */
export type ServiceState = ServiceObserved &
    StateMetadata &
    Partial<ServiceRecorded> &
    Verification & {
        readonly passwordFile?: ServiceInputs["passwordFile"];
        readonly passwordVariable?: ServiceInputs["passwordVariable"];
        /** The version of the password in force. Absent unless the program declares one. */
        readonly passwordVersion?: number | undefined;
        /** The current password is unknown, because a response was lost. The next update sets it again. */
        readonly __passwordLost?: boolean;
    };

/** The types of a service. */
export interface ServiceKind extends Kind {
    Inputs: ServiceInputs;
    Observed: ServiceObserved;
    Item: Service;
    Parent: ProjectPath;
    Own: ServicePath;
}

type ServiceChange = PropertyChange<keyof ServiceInputs & keyof ServiceObserved>;

/** Whether the service already has the declared addons or parent, which the API reports only in part. */
export function alreadyHas(state: ServiceState, { property, to }: Replacement): boolean {
    return (property === "addons" && addonsMatch(state, to)) || (property === "fork" && forkMatches(state, to));
}

const poolerCalls = { enable: { operation: "enablePooler" }, disable: { operation: "disablePooler" } } as const;

/**
 * The steps that bring a service from its state to the declared one, in order. A rename comes first, because not every
 * version of the API has this operation. The service is resumed before changes that need it running, and paused last.
 */
export function steps(state: ServiceState, declared: Planned<ServiceInputs>): readonly Step[] {
    const renames = rename(state, declared);
    const changes: readonly ServiceChange[] = [
        ...password(state, declared),
        ...network(state, declared),
        ...resize(state, declared),
        ...availability(state, declared),
        ...poolerChange(state, declared, poolerCalls),
        ...changesOf(properties, state, declared),
    ];
    const paused = wanted<ServiceInputs, "paused">(state, declared, "paused", false);
    const mustResume = state.paused && (paused === false || changes.some(({ needs }) => needs === "running"));
    const isPausedThen = state.paused && !mustResume;
    const mustPause = paused === unknown || (paused === true && !isPausedThen);
    return [
        ...renames,
        ...(mustResume ? [resume(paused)] : []),
        ...changes,
        ...(mustPause ? [pause(paused === unknown)] : []),
    ];
}

/** A service whose name is not declared keeps its name. */
function rename(state: ServiceState, declared: Planned<ServiceInputs>): ServiceChange[] {
    const { name = state.name } = declared;
    if (name === state.name) {
        return [];
    }
    return [
        {
            call: { operation: "renameService", body: { name: name as string } },
            text: `rename ${show(state.name)} -> ${show(name)}`,
            needs: "rest",
            sets: { name },
            ifUnsupported: `declare name: ${show(state.name)} again`,
        },
    ];
}

/** What the state knows of the password. */
type PasswordState = Partial<Pick<ServiceState, "password" | "initialPassword" | "passwordVersion" | "__passwordLost">>;

function password(state: PasswordState, inputs: Planned<ServiceInputs>): ServiceChange[] {
    return inputs.passwordVersion === undefined ? passwordInState(state, inputs) : passwordOutside(state, inputs);
}

function passwordInState(state: PasswordState, { password: declared }: Planned<ServiceInputs>): ServiceChange[] {
    const wanted = declared ?? state.password ?? state.initialPassword;
    if (wanted === undefined || (!state.__passwordLost && (declared ?? state.password) === state.password)) {
        return [];
    }
    return [
        {
            call: { operation: "updatePassword", body: { password: wanted as string } },
            text: describePassword(state, declared),
            ...recordingPassword(declared === undefined ? {} : { password: declared, passwordVersion: undefined }),
        },
    ];
}

/** The provider reads the password only when it sends it. The state then forgets each other one. */
function passwordOutside(state: PasswordState, inputs: Planned<ServiceInputs>): ServiceChange[] {
    const { passwordVersion: version } = inputs;
    const { passwordVersion: before } = state;
    if (version === before && !state.__passwordLost) {
        return [];
    }
    const isKnown = before !== undefined || state.password !== undefined;
    const versions = before === undefined || before === version ? show(version) : `${show(before)} -> ${show(version)}`;
    const source = `version ${versions} of ${describeSource(inputs)}`;
    return [
        {
            call: { operation: "updatePassword" },
            ...(hasUnknown([inputs.passwordFile, inputs.passwordVariable])
                ? {}
                : { readBody: () => ({ password: readPassword(inputs as ServiceInputs) }) }),
            text: `${isKnown ? "change" : "set"} the password (${source})${reasonToSet(state)}`,
            ...recordingPassword({ password: undefined, initialPassword: undefined, passwordVersion: version }),
        },
    ];
}

/** A password is read only with a new version, also if its file or variable is another one. */
export function sourceNotRead(state: ServiceState, declared: Planned<ServiceInputs>): readonly string[] {
    const { passwordVersion: version } = state;
    const source = (["passwordFile", "passwordVariable"] as const).find((name) => declared[name] !== undefined);
    if (source === undefined || declared[source] === state[source] || password(state, declared).length > 0) {
        return [];
    }
    return [
        `${source} ${show(declared[source])} is not read, because passwordVersion ${show(version)} is already in force; ` +
            "if it contains another password, raise passwordVersion",
    ];
}

/** What the state records of a new password. */
function recordingPassword(values: object): Omit<ServiceChange, "call" | "text"> {
    return {
        affects: { ...values },
        records: { ...values, __passwordLost: false },
        onUncertain: { __passwordLost: true },
    };
}

function describePassword(state: PasswordState, declared: unknown): string {
    if ((declared ?? state.password) === undefined) {
        return "set a new password, because the initial one was lost";
    }
    const isOther = state.password !== undefined && (declared ?? state.password) !== state.password;
    const change = isOther || state.passwordVersion !== undefined ? "change the password" : "set the password";
    return `${change}${reasonToSet(state)}`;
}

const reasonToSet = ({ __passwordLost: isLost }: PasswordState): string =>
    isLost ? ", because the current one is unknown" : "";

function network(state: ServiceState, declared: Planned<ServiceInputs>): ServiceChange[] {
    const vpcId = wanted<ServiceInputs, "vpcId">(state, declared, "vpcId", undefined);
    if (vpcId === state.vpcId) {
        return [];
    }
    // A new service has no replica sets.
    const isNew = (state as Partial<ServiceState>).serviceId === undefined;
    const moved = isNew ? "" : ", `pulumi refresh` shows new replica set endpoints";
    const changes: ServiceChange[] = [];
    if (state.vpcId !== undefined) {
        changes.push({
            call: { operation: "detachFromVPC", body: { vpc_id: state.vpcId } },
            text: `detach from VPC ${state.vpcId}${vpcId === undefined ? moved : ""}`,
            needs: "running",
            sets: { vpcId: undefined },
            affects: { vpcHost: undefined, vpcPort: undefined, ...movedEndpoints(state) },
        });
    }
    if (vpcId !== undefined) {
        changes.push({
            call: { operation: "attachToVPC", body: { vpc_id: vpcId as string } },
            text: `attach to VPC ${plain(vpcId)}${moved}`,
            needs: "running",
            sets: { vpcId },
            affects: { vpcHost: unknown, vpcPort: unknown, ...movedEndpoints(state) },
        });
    }
    return changes;
}

/** A size that is not declared stays as it is. */
function resize(state: ServiceState, declared: Planned<ServiceInputs>): ServiceChange[] {
    const size = newSize(state, declared);
    if (size === undefined) {
        return [];
    }
    const text = `resize ${formatSize(state)} -> ${formatSize(size)}`;
    return [
        {
            call: { operation: "resizeService", body: wireSize(size) },
            text: withDisruption(size.cpuMillis === "shared" ? uncertain(text) : text, "restarts the service"),
            needs: "running",
            sets: size,
            ...(size.cpuMillis === "shared" ? { ifUnsupported: ifNotShared(state) } : {}),
        },
    ];
}

/** A replacement would lose the data, and the reason of the rejection is not certain. */
const ifNotShared = ({ cpuMillis, memoryGbs }: ServiceState): string =>
    `declare cpuMillis: ${show(cpuMillis)} and memoryGbs: ${show(memoryGbs)} again, or declare another service with ` +
    `"shared" and copy the data`;

function availability(state: ServiceState, declared: Planned<ServiceInputs>): ServiceChange[] {
    const replicas = wanted<ServiceInputs, "replicaCount">(state, declared, "replicaCount", 0);
    const sync = wanted<ServiceInputs, "syncReplicaCount">(state, declared, "syncReplicaCount", 0);
    if (replicas === state.replicaCount && sync === state.syncReplicaCount) {
        return [];
    }
    const body = { replica_count: replicas as number, sync_replica_count: sync as number };
    const from = formatReplicas(state.replicaCount, state.syncReplicaCount);
    return [
        {
            call: { operation: "setHA", body },
            text: `HA replicas ${from} -> ${formatReplicas(replicas, sync)}`,
            needs: "running",
            sets: { replicaCount: replicas, syncReplicaCount: sync },
        },
    ];
}

/** Resumes the service if it is paused. */
export function resume(paused: unknown): ServiceChange {
    return {
        call: { operation: "startService" },
        needs: "rest",
        text: paused === false ? "resume" : "resume for as long as the changes take",
        sets: { paused: false },
        affects: { status: "READY" },
    };
}

/** Pauses the service. */
export function pause(uncertain: boolean): ServiceChange {
    return {
        call: { operation: "stopService" },
        needs: "rest",
        ...(uncertain
            ? { text: "pause or resume (known after apply)" }
            : { text: withDisruption("pause", "connections end") }),
        sets: { paused: true },
        affects: uncertain ? { paused: unknown, status: unknown } : { status: "PAUSED" },
    };
}

/** The API does not report addons. For an adopted service, its type shows whether the declared addons are possible. */
function addonsMatch({ addons, serviceType }: ServiceState, declared: unknown): boolean {
    if (!Array.isArray(declared) || declared.includes(unknown)) {
        return false;
    }
    if (addons !== undefined) {
        return [...new Set(addons)].sort().join() === [...new Set(declared)].sort().join();
    }
    return typeFits(serviceType, declared);
}

/** The API reports only the parent of a fork. The state of an imported service contains no more than that. */
function forkMatches({ fork, forkedFrom }: ServiceState, declared: unknown): boolean {
    const parent = typeof declared === "object" && declared !== null ? valueOf(declared, "serviceId") : undefined;
    return fork === undefined && forkedFrom !== undefined && forkedFrom.serviceId === parent;
}

/** Whether a service of this type can have these addons. */
export function typeFits(serviceType: string, addons: readonly unknown[]): boolean {
    if (serviceType === "POSTGRES") {
        return addons.length === 0;
    }
    return serviceType === "VECTOR" ? !addons.includes("time-series") : addons.includes("time-series");
}

/** Formats the replicas, for example `1 async + 1 sync`. */
function formatReplicas(count: unknown, synchronous: unknown): string {
    if (typeof count !== "number" || typeof synchronous !== "number") {
        return `${plain(count)} total, ${plain(synchronous)} sync`;
    }
    const parts = [
        count > synchronous ? `${count - synchronous} async` : undefined,
        synchronous > 0 ? `${synchronous} sync` : undefined,
    ].filter((part) => part !== undefined);
    return parts.length === 0 ? "none" : parts.join(" + ");
}

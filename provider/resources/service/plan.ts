import type { Service } from "../../api/contract";
import { pending, type Outcome } from "../../wait/outcome";
import type { Call, Memory, Plan, Step } from "../contract";
import { plain, remembered, replacements } from "../fields";
import { wanted } from "../memory";
import { cpuFor, formatSize, memoryFor, wireSize, type Size } from "../size";
import { unknown, type Planned, type Unknown } from "../unknown";
import { fields, type ServiceInputs } from "./inputs";
import { atRest, observe, running, type ServiceObserved } from "./observed";

/** The state of a service as a plan sees it. */
export type ServiceState = ServiceObserved &
    Memory &
    Pick<ServiceInputs, "password" | "addons" | "fork" | "deletionProtection"> & {
        readonly initialPassword?: string;
        /** Nobody knows which password is in force, as an answer was lost: the one that is wanted has to be set. */
        readonly __passwordLost?: boolean;
    };

/** A change before it has its place: the order and the status around it are not its concern. */
interface Change {
    readonly call: Call;
    readonly text: string;
    /** Whether the effect shows; absent where it cannot be seen. */
    readonly shows?: (seen: ServiceObserved) => boolean;
    /** A paused service refuses it. */
    readonly needsRunning: boolean;
    readonly remembers?: Readonly<Record<string, unknown>>;
    readonly doubts?: Readonly<Record<string, unknown>>;
}

/** What has to be done to bring a service from a state to the declared one, in the order in which it is done. */
export function plan(state: ServiceState, declared: Planned<ServiceInputs>): Plan<Service> {
    const replace = replacements(fields, state, declared).filter(
        ({ property, to }) => property !== "addons" || !fits(state, to),
    );
    const remember = remembered(state, declared, fields);
    return { replace, remember, steps: replace.length > 0 ? [] : steps(state, declared) };
}

/** The order: the service runs as long as anything needs it to, and is paused last. */
function steps(state: ServiceState, declared: Planned<ServiceInputs>): Step<Service>[] {
    const changes = [
        ...password(state, declared),
        ...network(state, declared),
        ...resize(state, declared),
        ...availability(state, declared),
        ...pooler(state, declared),
        ...environment(state, declared),
    ];
    const paused = wanted<ServiceInputs, "paused">(state, declared, "paused", false);
    const resume = state.paused && (paused === false || changes.some(({ needsRunning }) => needsRunning));
    const pause = paused !== false && (paused === true ? !state.paused || resume : true);
    return [
        ...(resume ? [resumed(paused)] : []),
        ...changes.map(asStep),
        ...(pause ? [pausedAgain(paused === unknown)] : []),
    ];
}

function password(state: ServiceState, { password: declared }: Planned<ServiceInputs>): Change[] {
    const wanted = declared ?? state.password ?? state.initialPassword;
    if (wanted === undefined || (!state.__passwordLost && (declared ?? state.password) === state.password)) {
        return [];
    }
    return [
        {
            call: { operation: "updatePassword", body: { password: wanted as string } },
            text: textOfPassword(state, declared),
            needsRunning: false,
            remembers: { ...(declared === undefined ? {} : { password: declared }), __passwordLost: false },
            doubts: { __passwordLost: true },
        },
    ];
}

function textOfPassword(state: ServiceState, declared: unknown): string {
    if ((declared ?? state.password) === undefined) {
        return "set a new password, as the first one was lost";
    }
    const isOther = state.password !== undefined && (declared ?? state.password) !== state.password;
    const change = isOther ? "change the password" : "set the password";
    return state.__passwordLost ? `${change}, as it is not known which one is in force` : change;
}

function network(state: ServiceState, declared: Planned<ServiceInputs>): Change[] {
    const vpcId = wanted<ServiceInputs, "vpcId">(state, declared, "vpcId", undefined);
    if (vpcId === state.vpcId) {
        return [];
    }
    const changes: Change[] = [];
    if (state.vpcId !== undefined) {
        changes.push({
            call: { operation: "detachFromVPC", body: { vpc_id: state.vpcId } },
            text: `detach from VPC ${state.vpcId}`,
            needsRunning: true,
            shows: (seen) => seen.vpcId !== state.vpcId,
        });
    }
    if (vpcId !== undefined) {
        changes.push({
            call: { operation: "attachToVPC", body: { vpc_id: vpcId as string } },
            text: `attach to VPC ${plain(vpcId)}`,
            needsRunning: true,
            shows: (seen) => seen.vpcId === vpcId,
        });
    }
    return changes;
}

/** What the program leaves open is left alone; of a half that is left open, the documented one follows a change of the other. */
function sizeWanted(
    state: ServiceState,
    { cpuMillis, memoryGbs }: Planned<ServiceInputs>,
): { cpuMillis: Size | Unknown | undefined; memoryGbs: Size | Unknown | undefined } {
    if (memoryGbs === undefined && cpuMillis !== undefined && cpuMillis !== state.cpuMillis) {
        return { cpuMillis, memoryGbs: memoryFor(cpuMillis) };
    }
    if (cpuMillis === undefined && memoryGbs !== undefined && memoryGbs !== state.memoryGbs) {
        return { cpuMillis: cpuFor(memoryGbs), memoryGbs };
    }
    return { cpuMillis: cpuMillis ?? state.cpuMillis, memoryGbs: memoryGbs ?? state.memoryGbs };
}

function resize(state: ServiceState, declared: Planned<ServiceInputs>): Change[] {
    const { cpuMillis, memoryGbs } = sizeWanted(state, declared);
    if (cpuMillis === undefined || memoryGbs === undefined) {
        return [];
    }
    if (cpuMillis === state.cpuMillis && memoryGbs === state.memoryGbs) {
        return [];
    }
    const from = formatSize(state.cpuMillis, state.memoryGbs);
    return [
        {
            call: {
                operation: "resizeService",
                body: { cpu_millis: wireSize(cpuMillis), memory_gbs: wireSize(memoryGbs) },
            },
            text: `resize ${from} -> ${formatSize(cpuMillis, memoryGbs)}, restarts the service`,
            needsRunning: true,
            shows: (seen) => seen.cpuMillis === cpuMillis && seen.memoryGbs === memoryGbs,
        },
    ];
}

function availability(state: ServiceState, declared: Planned<ServiceInputs>): Change[] {
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
            text: `high availability ${from} -> ${formatReplicas(replicas, sync)}`,
            needsRunning: true,
            shows: (seen) => seen.replicaCount === replicas && seen.syncReplicaCount === sync,
        },
    ];
}

function pooler(state: ServiceState, declared: Planned<ServiceInputs>): Change[] {
    const on = wanted<ServiceInputs, "connectionPooler">(state, declared, "connectionPooler", false);
    if (on === state.connectionPooler) {
        return [];
    }
    return [
        {
            call: { operation: on === false ? "disablePooler" : "enablePooler" },
            text: `connection pooler ${on === unknown ? "-> (known after apply)" : on ? "on" : "off"}`,
            needsRunning: false,
            shows: (seen) => seen.connectionPooler === on,
        },
    ];
}

function environment(state: ServiceState, declared: Planned<ServiceInputs>): Change[] {
    const tag = wanted<ServiceInputs, "environment">(state, declared, "environment", "DEV");
    if (tag === state.environment) {
        return [];
    }
    return [
        {
            call: { operation: "setEnvironment", body: { environment: tag as "DEV" | "PROD" } },
            text: `environment ${plain(state.environment)} -> ${plain(tag)}`,
            needsRunning: false,
            shows: (seen) => seen.environment === tag,
        },
    ];
}

function asStep({ call, text, shows, needsRunning, remembers, doubts }: Change): Step<Service> {
    const judge = needsRunning ? running : atRest;
    return {
        call,
        text,
        before: judge,
        // While the change is not visible yet, a status of rest is the one from before the call.
        after: (service) => (shows && !shows(observe(service)) ? notYet(service) : judge(service)),
        ...(shows ? {} : { unseen: true }),
        ...(remembers ? { remembers } : {}),
        ...(doubts ? { doubts } : {}),
    };
}

function resumed(paused: unknown): Step<Service> {
    return {
        call: { operation: "startService" },
        text: paused === false ? "resume" : "resume for as long as the changes take",
        before: atRest,
        after: (service) => (service.status === "PAUSED" ? notYet(service) : atRest(service)),
    };
}

function pausedAgain(uncertain: boolean): Step<Service> {
    return {
        call: { operation: "stopService" },
        text: uncertain ? "pause or resume (known after apply)" : "pause, connections end",
        before: atRest,
        after: (service) => {
            const outcome = atRest(service);
            return outcome.kind === "ready" && service.status !== "PAUSED" ? notYet(service) : outcome;
        },
    };
}

function notYet(service: Service): Outcome {
    const outcome = atRest(service);
    return outcome.kind === "ready" ? pending(service.status, "change not visible yet") : outcome;
}

/** Addons of a service that was taken over are not known; its type tells what speaks against the declared ones. */
function fits({ addons, serviceType }: ServiceState, declared: unknown): boolean {
    if (!Array.isArray(declared) || declared.includes(unknown)) {
        return false;
    }
    if (addons !== undefined) {
        return [...new Set(addons)].sort().join() === [...new Set(declared)].sort().join();
    }
    return typeFits(serviceType, declared);
}

/** Whether a service of this type can be one with these addons. */
export function typeFits(serviceType: string, addons: readonly unknown[]): boolean {
    if (serviceType === "POSTGRES") {
        return addons.length === 0;
    }
    return serviceType === "VECTOR" ? !addons.includes("time-series") : addons.includes("time-series");
}

/** Replicas as a person reads them: `2 replicas, 1 synchronous`. */
function formatReplicas(count: unknown, synchronous: unknown): string {
    const replicas = count === 0 ? "none" : `${plain(count)} ${count === 1 ? "replica" : "replicas"}`;
    return synchronous === 0 ? replicas : `${replicas}, ${plain(synchronous)} synchronous`;
}

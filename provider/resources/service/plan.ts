import type { Service } from "../../api/contract";
import { failed, pending, ready, type Outcome } from "../../wait/outcome";
import type { Call, StateMetadata, Plan, Step } from "../../lifecycle/resource";
import { differences } from "../../lifecycle/differences";
import { plain, replacements, same, show } from "../../inputs/fields";
import { recordedChanges, wanted } from "../../lifecycle/metadata";
import { cpuFor, formatSize, memoryFor, wireSize, type Size } from "../../inputs/size";
import { unknown, type Planned, type Unknown } from "../../inputs/unknown";
import { fields, type ServiceInputs } from "./inputs";
import { readiness, observe, running, type ServiceObserved } from "./observed";
import type { Replacement } from "../../inputs/finding";

/** The state of a service as a plan sees it. */
export type ServiceState = ServiceObserved &
    StateMetadata &
    Pick<ServiceInputs, "password" | "addons" | "fork"> & {
        readonly initialPassword?: string;
        /** Nobody knows which password is in force, as an answer was lost: the one that is wanted has to be set. */
        readonly __passwordLost?: boolean;
    };

/** A change before it has its place: the order and the status around it are not its concern. */
interface Change {
    readonly call: Call;
    readonly text: string;
    /** The properties that it sets; absent where the effect cannot be seen. */
    readonly sets?: Readonly<Partial<Record<keyof ServiceInputs & keyof ServiceObserved, unknown>>>;
    /** A paused service rejects it. */
    readonly needsRunning: boolean;
    /** The VPCs, or none, to which the service must be attached. */
    readonly attachedTo?: readonly (string | undefined)[];
    readonly records?: Readonly<Record<string, unknown>>;
    readonly onUncertain?: Readonly<Record<string, unknown>>;
    readonly ifKilled?: string;
    readonly ifUnsupported?: string;
}

/** What has to be done to bring a service from a state to the declared one, in the order in which it is done. */
export function plan(state: ServiceState, declared: Planned<ServiceInputs>): Plan<Service> {
    const replace = [
        ...replacements(fields, state, declared).filter(
            ({ property, to }) => property !== "addons" || !fits(state, to),
        ),
        ...impossibleRename(state, declared),
    ];
    const record = recordedChanges(state, declared, fields);
    return { replace, record, steps: replace.length > 0 ? [] : steps(state, declared) };
}

/** A rename that an earlier run could not make, as the API does not have the operation: only another service can have this name. */
function impossibleRename(state: ServiceState, declared: Planned<ServiceInputs>): Replacement[] {
    return rename(state, declared)
        .filter(({ call }) => same(call, state.__unsupported))
        .map(() => ({ property: "name", from: state.name, to: declared.name }));
}

/** The order: a rename comes first, as not every API can do it. The service runs as long as anything needs it to, and is paused last. */
function steps(state: ServiceState, declared: Planned<ServiceInputs>): Step<Service>[] {
    const renames = rename(state, declared);
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
    const asChange = (change: Change) => ({ ...asStep(change), ...(change.needsRunning ? {} : { obstacle: running }) });
    return [
        ...renames.map(asStep),
        ...(resume ? [asStep(resumed(paused))] : []),
        ...changes.map(asChange),
        ...(pause ? [asStep(pausedAgain(paused === unknown))] : []),
    ];
}

/** What the program leaves open keeps its name. */
function rename(state: ServiceState, { name = state.name, allowReplace }: Planned<ServiceInputs>): Change[] {
    if (name === state.name) {
        return [];
    }
    const back = `Declare name: ${show(state.name)} again`;
    return [
        {
            call: { operation: "renameService", body: { name: name as string } },
            text: `rename ${show(state.name)} -> ${show(name)}`,
            needsRunning: false,
            sets: { name },
            ifUnsupported:
                allowReplace === true
                    ? `${back}, or the next \`pulumi up\` replaces the service, as allowReplace is true, and its data is lost.`
                    : `${back}, or set allowReplace: true: the next \`pulumi up\` then replaces the service, and its data is lost.`,
        },
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
            records: { ...(declared === undefined ? {} : { password: declared }), __passwordLost: false },
            onUncertain: { __passwordLost: true },
            ifKilled: "If this run is killed, run `pulumi up` with this password again before you change or revert it.",
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
            attachedTo: [state.vpcId, undefined],
            sets: { vpcId: undefined },
        });
    }
    if (vpcId !== undefined) {
        changes.push({
            call: { operation: "attachToVPC", body: { vpc_id: vpcId as string } },
            text: `attach to VPC ${plain(vpcId)}`,
            needsRunning: true,
            attachedTo: [vpcId as string, undefined],
            sets: { vpcId },
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
            sets: { cpuMillis, memoryGbs },
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
            text: `HA replicas ${from} -> ${formatReplicas(replicas, sync)}`,
            needsRunning: true,
            sets: { replicaCount: replicas, syncReplicaCount: sync },
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
            sets: { connectionPooler: on },
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
            sets: { environment: tag },
        },
    ];
}

function asStep({ call, text, sets, needsRunning, attachedTo, ...rest }: Change): Step<Service> {
    const judge = needsRunning ? running : readiness;
    const differs = sets && ((service: Service) => differences(sets, observe(service)));
    return {
        call,
        text,
        before: (service) => {
            const outcome = judge(service);
            return outcome.kind === "ready" && attachedTo ? attached(service, attachedTo) : outcome;
        },
        // While the change is not visible yet, a status of rest is the one from before the call.
        after: (service) => (differs && differs(service).length > 0 ? notYet(service) : judge(service)),
        ...(differs ? { differs } : {}),
        ...rest,
    };
}

function attached(service: Service, expected: readonly (string | undefined)[]): Outcome {
    const { vpcId } = observe(service);
    const remedy = `it is attached to VPC ${plain(vpcId)}; detach it first, or run \`pulumi refresh\` and then \`pulumi up\``;
    return expected.includes(vpcId) ? ready : failed(service.status, remedy, "vpcId");
}

function resumed(paused: unknown): Change {
    return {
        call: { operation: "startService" },
        text: paused === false ? "resume" : "resume for as long as the changes take",
        needsRunning: false,
        sets: { paused: false },
    };
}

function pausedAgain(uncertain: boolean): Change {
    return {
        call: { operation: "stopService" },
        text: uncertain ? "pause or resume (known after apply)" : "pause, connections end",
        needsRunning: false,
        sets: { paused: true },
    };
}

function notYet(service: Service): Outcome {
    const outcome = readiness(service);
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

/** Replicas as a person reads them: `1 async + 1 sync`. */
function formatReplicas(count: unknown, synchronous: unknown): string {
    if (typeof count !== "number" || typeof synchronous !== "number") {
        return `${plain(count)} in all, ${plain(synchronous)} sync`;
    }
    const parts = [
        count > synchronous ? `${count - synchronous} async` : undefined,
        synchronous > 0 ? `${synchronous} sync` : undefined,
    ].filter((part) => part !== undefined);
    return parts.length === 0 ? "none" : parts.join(" + ");
}

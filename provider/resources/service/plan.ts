import type { PathOf, Schemas } from "../../api/contract";
import type { Kind, State, StepOf, Replacement } from "../../model/resource";
import { plain, show, hasComputed, computed, type Planned } from "../../base/fields";
import { formatSize, newSize, wireSize } from "../../base/size";
import { maybeUnsupported, propertySteps, wanted } from "../property";
import type { ServiceInputs } from "./inputs";
import { observed, type ServiceHeld, type ServiceObserved } from "./outputs";
import { describeSource, readPassword } from "./passwordSource";

/** The types of a service. */
export type ServiceKind = Kind<ServiceInputs, ServiceObserved, Schemas["Service"], PathOf<"listServices">, ServiceHeld>;

/** The state that a plan of a service starts from. */
type ServiceState = State<ServiceKind>;

type ServiceStep = StepOf<ServiceKind>;

/** Whether the service already has the declared addons or parent, which the API reports only in part. */
export function alreadyHas(state: ServiceState, { property, to }: Replacement): boolean {
    return (property === "addons" && addonsMatch(state, to)) || (property === "fork" && forkMatches(state));
}

/**
 * The steps that bring a service from its state to the declared one, in order. A rename comes first, because not every
 * version of the API has this operation. The service is resumed before changes that need it running, and paused last.
 */
export function steps(state: ServiceState, declared: Planned<ServiceInputs>): readonly ServiceStep[] {
    const changes = [
        ...passwordSteps(state, declared),
        ...network(state, declared),
        ...resize(state, declared),
        ...availability(state, declared),
        ...propertySteps(observed, state, declared),
    ];
    const paused = wanted(observed, state, declared, "paused");
    const mustResume = state.paused && (paused === false || changes.some(({ needs }) => needs === "running"));
    const isPausedThen = state.paused && !mustResume;
    const mustPause = paused === computed || (paused && !isPausedThen);
    const ifPaused = isPausedThen ? resumesFirst : undefined;
    return [
        ...changes.filter(({ needs }) => needs === "rest"),
        ...(mustResume ? [resume(paused)] : []),
        ...changes.filter(({ needs }) => needs !== "rest").map((step) => ({ ...step, ifPaused })),
        ...(mustPause ? [pause(paused === computed)] : []),
    ];
}

const resumesFirst = "declare paused: false together with this change, run `pulumi up`, then set paused: true again";

function passwordSteps(state: ServiceState, inputs: Planned<ServiceInputs>): ServiceStep[] {
    return inputs.passwordVersion === undefined ? passwordInState(state, inputs) : passwordOutside(state, inputs);
}

/** Whether the value that the state holds may not be in force, because the answer to a request was lost. */
function isUncertain({ record }: ServiceState, name: keyof ServiceHeld): boolean {
    return (record.uncertain ?? []).includes(name);
}

/** What each step that sets the password says about it. */
const setting = (isAgain: boolean) => ({
    secretNoun: "password",
    note: isAgain ? "because the current one is unknown" : undefined,
});

function passwordInState(state: ServiceState, { password: declared }: Planned<ServiceInputs>): ServiceStep[] {
    const wanted = declared ?? state.password ?? state.initialPassword;
    const isAgain = isUncertain(state, "password");
    if (wanted === undefined || (!isAgain && (declared ?? state.password) === state.password)) {
        return [];
    }
    return [
        {
            ...setting(isAgain),
            call: { operation: "updatePassword", body: { password: wanted as string } },
            title: describePassword(state, declared),
            affects:
                declared === undefined
                    ? // The same values, which are certain after the step.
                      { password: state.password, initialPassword: state.initialPassword }
                    : {
                          password: declared,
                          passwordVersion: undefined,
                          // It was never in force if the response to the creation was lost.
                          ...(isUncertain(state, "initialPassword") ? { initialPassword: undefined } : {}),
                      },
        },
    ];
}

/** The provider reads the password only when it sends it. The state then forgets each other one. */
function passwordOutside(state: ServiceState, inputs: Planned<ServiceInputs>): ServiceStep[] {
    const { passwordVersion: version } = inputs;
    const { passwordVersion: before } = state;
    const isAgain = isUncertain(state, "password");
    if (version === before && !isAgain) {
        return [];
    }
    const isKnown = before !== undefined || state.password !== undefined;
    const versions = before === undefined || before === version ? show(version) : `${show(before)} -> ${show(version)}`;
    const source = `version ${versions} of ${describeSource(inputs)}`;
    return [
        {
            ...setting(isAgain),
            call: { operation: "updatePassword" },
            ...(hasComputed([inputs.passwordFile, inputs.passwordVariable])
                ? {}
                : { readBody: () => ({ password: readPassword(inputs as ServiceInputs) }) }),
            title: `${isKnown ? "change" : "set"} the password (${source})`,
            affects: { password: undefined, initialPassword: undefined, passwordVersion: version },
        },
    ];
}

/**
 * What no step does about the password. `passwordVariable` replaces `passwordFile`, and `passwordVersion` stays 1: the variable is
 * not read. The response to a change of the password was lost, and the program now declares none: nobody knows which one is in force.
 */
export function passwordWarnings(state: ServiceState, declared: Planned<ServiceInputs>): readonly string[] {
    if (passwordSteps(state, declared).length > 0) {
        return [];
    }
    if (isUncertain(state, "password") || isUncertain(state, "initialPassword")) {
        return ["the password in force may be one that no state has: declare password"];
    }
    const { passwordVersion: version } = state;
    const source = (["passwordFile", "passwordVariable"] as const).find((name) => declared[name] !== undefined);
    if (source === undefined || state[source] !== undefined) {
        return [];
    }
    return [
        `${source} ${show(declared[source])} is not read, because passwordVersion ${show(version)} is already in force; ` +
            "if it contains another password, raise passwordVersion",
    ];
}

function describePassword(state: ServiceState, declared: unknown): string {
    if ((declared ?? state.password) === undefined) {
        return "set the initial password";
    }
    const isOther = state.password !== undefined && (declared ?? state.password) !== state.password;
    return isOther || state.passwordVersion !== undefined ? "change the password" : "set the password";
}

function network(state: ServiceState, declared: Planned<ServiceInputs>): ServiceStep[] {
    const vpcId = wanted(observed, state, declared, "vpcId");
    if (vpcId === state.vpcId) {
        return [];
    }
    // A new service has no replica sets.
    const isNew = (state as Partial<ServiceState>).serviceId === undefined;
    const note = isNew ? undefined : "`pulumi refresh` shows new endpoints of any replica sets";
    const changes: ServiceStep[] = [];
    if (state.vpcId !== undefined) {
        changes.push({
            call: { operation: "detachFromVPC", body: { vpc_id: state.vpcId } },
            title: `detach from VPC ${state.vpcId}`,
            note: vpcId === undefined ? note : undefined,
            needs: "running",
            sets: { vpcId: undefined },
            affects: { vpcHost: undefined, vpcPort: undefined, ...movedEndpoints(state) },
        });
    }
    if (vpcId !== undefined) {
        changes.push({
            call: { operation: "attachToVPC", body: { vpc_id: vpcId as string } },
            title: `attach to VPC ${plain(vpcId)}`,
            note,
            needs: "running",
            sets: { vpcId },
            affects: { vpcHost: computed, vpcPort: computed, ...movedEndpoints(state) },
        });
    }
    return changes;
}

/** The endpoints after the service is attached to a VPC or detached from it, which may move them. */
const movedEndpoints = ({ connectionPooler }: ServiceState): ServiceStep["affects"] => ({
    host: computed,
    port: computed,
    ...(connectionPooler ? { poolerHost: computed, poolerPort: computed } : {}),
});

/** A size that is not declared stays as it is. */
function resize(state: ServiceState, declared: Planned<ServiceInputs>): ServiceStep[] {
    const size = newSize(state, declared);
    if (size === undefined) {
        return [];
    }
    const title = `resize ${formatSize(state)} -> ${formatSize(size)}`;
    return [
        {
            call: { operation: "resizeService", body: wireSize(size) },
            title: size.cpuMillis === "shared" ? maybeUnsupported(title) : title,
            disruption: "restarts the service",
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

function availability(state: ServiceState, declared: Planned<ServiceInputs>): ServiceStep[] {
    const replicas = wanted(observed, state, declared, "replicaCount");
    // One that was found needs two replicas: with less, an undeclared number is 0, unless both are as they were found.
    const isTooFew =
        typeof replicas === "number" && replicas < 2 && replicas !== (state.record.defaults ?? state).replicaCount;
    const kept = wanted(observed, state, declared, "syncReplicaCount");
    const sync = declared.syncReplicaCount === undefined && isTooFew ? 0 : kept;
    if (replicas === state.replicaCount && sync === state.syncReplicaCount) {
        return [];
    }
    const body = { replica_count: replicas as number, sync_replica_count: sync as number };
    const from = formatReplicas(state.replicaCount, state.syncReplicaCount);
    return [
        {
            call: { operation: "setHA", body },
            title: `HA replicas ${from} -> ${formatReplicas(replicas, sync)}`,
            needs: "running",
            sets: { replicaCount: replicas, syncReplicaCount: sync },
        },
    ];
}

/** Resumes the service if it is paused. */
function resume(paused: unknown): ServiceStep {
    return {
        call: { operation: "startService" },
        needs: "rest",
        title: paused === false ? "resume" : "resume for as long as the changes take",
        sets: { paused: false },
        affects: { status: "READY" },
    };
}

/** Pauses the service. */
function pause(uncertain: boolean): ServiceStep {
    return {
        call: { operation: "stopService" },
        needs: "rest",
        ...(uncertain
            ? { title: "pause or resume (known after apply)" }
            : { title: "pause", disruption: "connections end" }),
        sets: { paused: true },
        affects: uncertain ? { paused: computed, status: computed } : { status: "PAUSED" },
    };
}

/** The API does not report addons. For an adopted service, its type shows whether the declared addons are possible. */
function addonsMatch({ addons, serviceType }: ServiceState, declared: unknown): boolean {
    const isKnown = Array.isArray(declared) && !declared.includes(computed);
    return addons === undefined && isKnown && typeFits(serviceType, declared);
}

/** Of a fork, the API reports only the parent, which no longer matters. The state of an imported service contains no more than that. */
function forkMatches({ fork, forkedFrom }: ServiceState): boolean {
    return fork === undefined && forkedFrom !== undefined;
}

type Fits = (addons: readonly unknown[]) => boolean;
const isTimeSeries: Fits = (addons) => addons.includes("time-series");

/** Whether a service of each type can have these addons. TIMESCALEDB is the brand's own value for TIMESERIESDB. */
const fitting: Readonly<Record<Schemas["KnownServiceType"] | "TIMESCALEDB", Fits>> = {
    POSTGRES: (addons) => addons.length === 0,
    VECTOR: (addons) => !isTimeSeries(addons),
    TIMESERIESDB: isTimeSeries,
    TIMESCALEDB: isTimeSeries,
};

/** Whether a service of this type can have these addons. A type that the contract does not have says nothing. */
export const typeFits = (serviceType: string, addons: readonly unknown[]): boolean =>
    !Object.hasOwn(fitting, serviceType) || fitting[serviceType as keyof typeof fitting](addons);

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

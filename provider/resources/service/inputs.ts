import { addonValues, environmentTagValues, forkStrategyValues } from "../../api/wire.gen";
import { idsOf, lettersAndDigits } from "../../model/ids";
import type { CommonInputs, CheckContext } from "../../model/resource";
import {
    arrayOf,
    asSet,
    flag,
    isSameText,
    nameText,
    oneOf,
    optional,
    optionalId,
    object,
    required,
    secret,
    show,
    size,
    text,
    valueOf,
    wholeNumber,
    type Fields,
    computed,
    type Planned,
    type Findings,
} from "../../base/fields";
import { sizeProblems, sizeWarnings, type Size } from "../../base/size";
import { regionWarnings } from "../regions";
import { parseTime, timeText } from "../../base/time";
import { databaseFields, type PoolerInputs, type Verification } from "../database";
import { vpcIds } from "../vpc";
import { minPasswordLength, type PasswordSource } from "./passwordSource";

/** The source of a forked service's data. */
export interface Fork {
    /** The service to fork. It matters only at the creation: another one changes nothing. */
    readonly serviceId: string;
    /** Which data to copy: the data of the last snapshot, the current data, or the data at `targetTime`. */
    readonly strategy: "LAST_SNAPSHOT" | "NOW" | "PITR";
    /** The point in time (RFC 3339). Required for `PITR`, and allowed only with it. */
    readonly targetTime?: string;
}

/** A database service. */
export interface ServiceInputs extends PoolerInputs, PasswordSource, Verification, CommonInputs {
    /**
     * The name of the service, with 1 to 128 characters. A change renames the service in place, and fails if the
     * API cannot do that.
     * @default generated from the URN; if removed later, the service keeps its name
     */
    name?: string;
    /**
     * The region that hosts the service, for example `us-east-1`. A change requires a **new, empty database**, and
     * `deletionProtection: false`. Cannot be combined with `fork`.
     * @default chosen by the API
     */
    regionCode?: string;
    /**
     * Additions to plain PostgreSQL. A change requires a **new, empty database**, and `deletionProtection: false`. Cannot be
     * combined with `fork`.
     * @default none
     */
    addons?: ("time-series" | "ai")[];
    /**
     * CPU in millicores, documented as 500, 1000, 2000, 4000, 8000, 16000, 32000, 48000 or 64000, or `"shared"`. A
     * change resizes the service in place, which restarts it. A change to `"shared"` fails if the API cannot do
     * that.
     * @default `memoryGbs * 250`; if both are left out, the size that the API chooses, or that of the parent of a fork
     */
    cpuMillis?: Size;
    /**
     * Memory in gigabytes, documented as `cpuMillis / 250`, or `"shared"`. A change resizes the service in place, which
     * restarts it.
     * @default `cpuMillis / 250`
     */
    memoryGbs?: Size;
    /**
     * The number of HA (high-availability) replicas, documented as 0 to 2. One takes over when the primary fails. A change
     * is made in place.
     * @default 0
     */
    replicaCount?: number;
    /**
     * The number of HA replicas that are synchronous, documented as 0, or 1 with two replicas. A change is made in place.
     * @default 0
     */
    syncReplicaCount?: number;
    /**
     * The VPC that the service is attached to. Then only this network and its peers reach the service. A change detaches
     * and attaches it in place, and its endpoints can change.
     * @default none
     */
    vpcId?: string;
    /**
     * The environment tag. A change is made in place.
     * @default "DEV"
     */
    environment?: "DEV" | "PROD";
    /**
     * Whether the service is paused. It then keeps its data and does not run. A change is made in place, and connections end
     * when it pauses. A change that needs a running service resumes it meanwhile. Whether the API accepts
     * other changes of a paused service, such as a password, depends on its version: the error then has the two runs that make
     * the change.
     * @default false
     */
    paused?: boolean;
    /**
     * The password of the default role. The API may reject one with less than 8 characters. The state stores it encrypted, and it cannot be
     * read from the API. A change is made in place: new logins then need the new password. An adoption sets it as well. If
     * removed later, the last password stays in force.
     * @default the `initialPassword`
     */
    password?: string;
    /**
     * Creates the service from the data of another service. A change of `strategy` or `targetTime` requires a new database with
     * the data of that service, **without what was written since**, and `deletionProtection: false`.
     */
    fork?: Fork;
}

/** The longest name of a service or of a read replica set. */
export const maxNameLength = 128;

export const serviceIds = idsOf("service", "SERVICE", lettersAndDigits);

const forkFields: Fields<Fork> = {
    // A fork has its data since its creation.
    serviceId: required("ignore", serviceIds.own),
    strategy: required("replace", oneOf(forkStrategyValues)),
    targetTime: { ...optional("replace", timeText), canonical: asTime },
};

export const fields: Fields<ServiceInputs> = {
    ...serviceIds.commonFields,
    name: optional("update", nameText(maxNameLength)),
    regionCode: optional("replace", text()),
    addons: { ...optional("replace", arrayOf(oneOf(addonValues))), canonical: asSet },
    cpuMillis: optional("update", size),
    memoryGbs: optional("update", size),
    replicaCount: optional("update", wholeNumber(0)),
    syncReplicaCount: optional("update", wholeNumber(0)),
    vpcId: { ...optional("update", optionalId(vpcIds.own)), isAbsentIfEmpty: true },
    environment: optional("update", oneOf(environmentTagValues)),
    ...databaseFields,
    paused: optional("update", flag),
    password: secret("update", text()),
    passwordFile: { ...optional("stateOnly", text()), isVersioned: true },
    passwordVariable: { ...optional("stateOnly", text()), isVersioned: true },
    // If it is declared again, the password is read again.
    passwordVersion: { ...optional("update", wholeNumber(1)), isForgotten: true },
    fork: object("replace", forkFields),
};

/** A point in time, as a number. */
function asTime(time: unknown): unknown {
    return typeof time === "string" ? parseTime(time) : time;
}

/** Contradictions between inputs are problems. Values that the API may reject are warnings. */
export function validate(inputs: Planned<ServiceInputs>, surroundings: CheckContext<ServiceInputs>): Findings {
    const { password } = inputs;
    const isShort = typeof password === "string" && password.length < minPasswordLength;
    return {
        problems: [...contradictions(inputs), ...pointInTime(inputs, surroundings.now)],
        warnings: [
            ...sizeWarnings(inputs),
            ...(isShort ? [`password has less than ${minPasswordLength} characters; the API may reject it`] : []),
            ...otherRegion(inputs, surroundings.referred("Vpc", "vpcId")),
            ...regionWarnings(inputs.regionCode),
        ],
    };
}

/** A service can only be attached to a VPC in its region. */
function otherRegion({ regionCode, vpcId }: Planned<ServiceInputs>, vpcs: readonly object[]): string[] {
    const regions = vpcs.map((vpc) => valueOf(vpc, "regionCode"));
    const mayFit = regions.some((region) => typeof region !== "string" || isSameText(region, regionCode));
    if (typeof regionCode !== "string" || vpcId === undefined || regions.length === 0 || mayFit) {
        return [];
    }
    const others = [...new Set(regions)].map(show).join(", ");
    return [
        `regionCode ${show(regionCode)} differs from the region of the VPC (${others}), which the API may reject; use the same regionCode`,
    ];
}

/** The clock of this computer may be slow by this much. */
const maxSlowMs = 300_000;

function pointInTime({ fork }: Planned<ServiceInputs>, now: number): string[] {
    const { strategy = computed, targetTime }: Partial<Planned<Fork>> = typeof fork === "object" ? fork : {};
    if (targetTime === undefined) {
        const remedy = 'set the time to restore, for example "2026-01-31T12:00:00Z"';
        return strategy === "PITR" ? [`fork.strategy "PITR" requires fork.targetTime; ${remedy}`] : [];
    }
    if (strategy !== "PITR" && strategy !== computed) {
        return ['fork.targetTime requires fork.strategy "PITR"; remove it or change the strategy'];
    }
    return typeof targetTime === "string" && (parseTime(targetTime) ?? now) > now + maxSlowMs
        ? [`fork.targetTime ${show(targetTime)} is in the future; use a time in the past`]
        : [];
}

function contradictions(inputs: Planned<ServiceInputs>): string[] {
    const { fork, regionCode, addons } = inputs;
    const fromParent = Object.entries({ regionCode, addons }).filter(
        ([, value]) => fork !== undefined && value !== undefined,
    );
    return [
        ...replicaProblems(inputs),
        ...sizeProblems(inputs),
        ...passwordProblems(inputs),
        ...fromParent.map(
            ([property, value]) =>
                `${property} ${show(value)} cannot be combined with fork, which takes it from its parent; remove it`,
        ),
    ];
}

function replicaProblems({ replicaCount, syncReplicaCount, existingId }: Planned<ServiceInputs>): string[] {
    if (typeof syncReplicaCount !== "number" || syncReplicaCount === 0) {
        return [];
    }
    if (replicaCount === undefined && existingId === undefined) {
        return [`syncReplicaCount ${syncReplicaCount} requires replicaCount; set it to the total number of replicas`];
    }
    return typeof replicaCount === "number" && syncReplicaCount > replicaCount
        ? [
              `syncReplicaCount ${syncReplicaCount} is more than replicaCount ${replicaCount}, which includes synchronous replicas; raise replicaCount`,
          ]
        : [];
}

/** The password has one source, and one outside of the state has a version. */
function passwordProblems(inputs: Planned<ServiceInputs>): string[] {
    const sources = (["password", "passwordFile", "passwordVariable"] as const).filter(
        (name) => inputs[name] !== undefined,
    );
    const [first, second] = sources;
    if (first !== undefined && second !== undefined) {
        return [`${second} cannot be combined with ${first}; remove one of them`];
    }
    const isOutside = first !== undefined && first !== "password";
    if (isOutside && inputs.passwordVersion === undefined) {
        return [`${first} requires passwordVersion; set it to 1, and raise it with each new password`];
    }
    return !isOutside && inputs.passwordVersion !== undefined
        ? ["passwordVersion requires passwordFile or passwordVariable; set one"]
        : [];
}

import type { CommonInputs } from "../../lifecycle/resource";
import {
    arrayOf,
    flag,
    oneOf,
    optional,
    secret,
    show,
    size,
    text,
    wholeNumber,
    pattern,
    type Fields,
} from "../../inputs/fields";
import { sizeAdvice, type Size } from "../../inputs/size";
import { unknown, type Planned } from "../../inputs/unknown";
import type { Finding, Findings } from "../../inputs/finding";

/** Where the data of a forked service comes from. */
export interface Fork {
    /** The service that is forked. */
    readonly serviceId: string;
    /** The last snapshot, the data as it is now, or as it was at `targetTime`. */
    readonly strategy: "LAST_SNAPSHOT" | "NOW" | "PITR";
    /** The point in time for `PITR` (RFC 3339), and for that only. */
    readonly targetTime?: string;
}

/** A database service. */
export interface ServiceInputs extends CommonInputs {
    /**
     * Its name, of 1 to 128 characters. A change renames the service in place (`POST …/rename`). If the API does not have
     * this operation, the change fails; with `allowReplace`, the next `pulumi up` then replaces the service.
     * @default made from the resource's name and a short hash of its URN; when left out later, the service keeps its name
     */
    name?: string;
    /**
     * The region that hosts it, for example `us-east-1`; a change replaces the service, which needs `allowReplace`.
     * Not with `fork`, which stays in its parent's region.
     * @default the service's choice
     */
    regionCode?: string;
    /**
     * What it has on top of plain PostgreSQL; a change replaces the service, which needs `allowReplace`. Not with `fork`.
     * @default none
     */
    addons?: ("time-series" | "ai")[];
    /**
     * CPU in millicores, documented as 500, 1000, 2000, 4000, 8000, 16000, 32000, 48000 or 64000, or `"shared"`.
     * A change resizes in place (`POST …/resize`), which restarts the service.
     * @default the service's choice, or the parent's for a fork; when left out it is left alone, or follows a change of `memoryGbs`
     */
    cpuMillis?: Size;
    /**
     * Memory in gigabytes, documented as `cpuMillis / 250`, or `"shared"`. A change resizes in place, which restarts the service.
     * @default the service's choice, or the parent's for a fork; when left out it is left alone, or follows a change of `cpuMillis`
     */
    memoryGbs?: Size;
    /**
     * High-availability replicas, documented as 0 to 2. A change is made in place (`POST …/setHA`).
     * @default 0
     */
    replicaCount?: number;
    /**
     * How many of the replicas are synchronous, documented as 0, or 1 with two replicas. A change is made in place (`POST …/setHA`).
     * @default 0
     */
    syncReplicaCount?: number;
    /**
     * The VPC that it is attached to. A change detaches and attaches in place (`detachFromVPC`, `attachToVPC`).
     * @default none
     */
    vpcId?: string;
    /**
     * Its environment tag. A change is made in place (`POST …/setEnvironment`).
     * @default "DEV"
     */
    environment?: "DEV" | "PROD";
    /**
     * Whether there is a connection pooler in front of it. A change is made in place (`enablePooler`, `disablePooler`).
     * @default false
     */
    connectionPooler?: boolean;
    /**
     * Whether it is paused: the data stays, nothing runs. A change is made in place (`stop`, `start`); a change of
     * something that needs a running service resumes it for as long as that takes.
     * @default false
     */
    paused?: boolean;
    /**
     * The password of the default role, of at least 8 characters; kept encrypted in the state and never read back. A change
     * is made in place (`POST …/updatePassword`); leaving it out later leaves the last one in force.
     * @default the `initialPassword` that the service made
     */
    password?: string;
    /** Makes the service from the data of another (`POST …/forkService`); a change replaces the service, which needs `allowReplace`. */
    fork?: Fork;
    /**
     * Allows a change that cannot be made in place to put a new, empty service in the place of this one. Read by the
     * preview only; without it such a change is an error there.
     * @default false
     */
    allowReplace?: boolean;
}

const shortestPassword = 8;
const longestName = 128;
const mostReplicas = 2;
const mostSyncReplicas = 1;
const strategies: readonly string[] = ["LAST_SNAPSHOT", "NOW", "PITR"] satisfies Fork["strategy"][];

export const fields: Fields<ServiceInputs> = {
    projectId: optional("replace", text()),
    existingId: optional("ignore", pattern(/^[a-z0-9]+$/, "the id of a service (lower-case letters and digits)")),
    deletionProtection: optional("stateOnly", flag),
    name: optional("update", text({ longest: longestName })),
    regionCode: optional("replace", text()),
    addons: optional("replace", arrayOf(oneOf(["time-series", "ai"]))),
    cpuMillis: optional("update", size(true)),
    memoryGbs: optional("update", size(true)),
    replicaCount: optional("update", wholeNumber(0)),
    syncReplicaCount: optional("update", wholeNumber(0)),
    vpcId: optional("update", pattern(/^\d+$/, "the id of a VPC (digits)")),
    environment: optional("update", oneOf(["DEV", "PROD"])),
    connectionPooler: optional("update", flag),
    paused: optional("update", flag),
    password: secret("update", (value) => {
        if (typeof value !== "string") {
            return "is not a string; give one";
        }
        return value.length < shortestPassword
            ? `is too short to be accepted; use at least ${shortestPassword} characters`
            : undefined;
    }),
    fork: optional("replace", testFork),
    allowReplace: optional("stateOnly", flag),
};

function testFork(value: unknown): string | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return "is not a fork; use { serviceId, strategy, targetTime? }";
    }
    const { serviceId, strategy, targetTime, ...rest } = value as Record<string, unknown>;
    const [stranger] = Object.keys(rest);
    if (stranger !== undefined) {
        return `has ${stranger}, which is not a property of a fork; it has serviceId, strategy and targetTime`;
    }
    if (serviceId !== unknown && (typeof serviceId !== "string" || serviceId === "")) {
        return "has no serviceId; give the id of the service to fork";
    }
    if (strategy !== unknown && (typeof strategy !== "string" || !strategies.includes(strategy))) {
        return `has strategy ${show(strategy)}; use "LAST_SNAPSHOT", "NOW" or "PITR"`;
    }
    if (strategy === "PITR" && targetTime === undefined) {
        return 'has strategy "PITR" without a targetTime; give the time to go back to, for example "2026-01-31T12:00:00Z"';
    }
    if (strategy !== "PITR" && strategy !== unknown && targetTime !== undefined) {
        return `has a targetTime, which only goes with strategy "PITR"; leave it out or change the strategy`;
    }
    return typeof targetTime === "string" && !isTime(targetTime)
        ? `has targetTime ${show(targetTime)}, which is not a time; use RFC 3339, for example "2026-01-31T12:00:00Z"`
        : undefined;
}

function isTime(value: string): boolean {
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** Contradictions between inputs are problems; what the service may refuse is advice. */
export function validate(inputs: Planned<ServiceInputs>): Findings {
    return { problems: contradictions(inputs), warnings: warningsOf(inputs) };
}

function contradictions(inputs: Planned<ServiceInputs>): Finding[] {
    const { replicaCount, syncReplicaCount, cpuMillis, memoryGbs, fork, regionCode, addons } = inputs;
    const problems: Finding[] = [];
    if (typeof syncReplicaCount === "number" && syncReplicaCount > 0) {
        if (replicaCount === undefined && inputs.existingId === undefined) {
            problems.push({
                property: "replicaCount",
                text: `syncReplicaCount ${syncReplicaCount} needs replicaCount; say how many replicas there are in all`,
            });
        } else if (typeof replicaCount === "number" && syncReplicaCount > replicaCount) {
            problems.push({
                property: "syncReplicaCount",
                text: `syncReplicaCount ${syncReplicaCount} is more than replicaCount ${replicaCount}; synchronous replicas are among the replicas`,
            });
        }
    }
    const sizes = [cpuMillis, memoryGbs];
    if (sizes.includes("shared") && sizes.some((value) => typeof value === "number")) {
        problems.push({
            property: "memoryGbs",
            text: `cpuMillis ${show(cpuMillis)} and memoryGbs ${show(memoryGbs)} do not go together; use "shared" for both or for neither`,
        });
    }
    if (fork !== undefined) {
        for (const [property, value] of Object.entries({ regionCode, addons })) {
            if (value !== undefined) {
                problems.push({
                    property,
                    text: `${property} ${show(value)} does not go with fork, which takes it from its parent; leave it out`,
                });
            }
        }
    }
    return problems;
}

function warningsOf({ cpuMillis, memoryGbs, replicaCount, syncReplicaCount }: Planned<ServiceInputs>): Finding[] {
    const found: Finding[] = [];
    const sizes = sizeAdvice(cpuMillis, memoryGbs);
    if (sizes !== undefined) {
        found.push({ property: "cpuMillis", text: sizes });
    }
    if (typeof replicaCount === "number" && replicaCount > mostReplicas) {
        found.push({
            property: "replicaCount",
            text: `replicaCount ${replicaCount} is above the documented ${mostReplicas}; the service may refuse it`,
        });
    }
    if (typeof syncReplicaCount === "number" && syncReplicaCount > 0) {
        const most = syncReplicaCount > mostSyncReplicas;
        const few = typeof replicaCount === "number" && replicaCount < mostReplicas;
        if (most || few) {
            found.push({
                property: "syncReplicaCount",
                text: `syncReplicaCount ${syncReplicaCount} is beyond what is documented: ${mostSyncReplicas}, and that with replicaCount ${mostReplicas}; the service may refuse it`,
            });
        }
    }
    return found;
}

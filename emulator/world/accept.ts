import { conflict } from "../errors";
import type { ReplicaSetRecord, ServiceRecord } from "./state";

const SETTLED = ["READY", "PAUSED"] as const;

/**
 * In which statuses a service takes each request; in any other it answers 409, and so it does while a change is under way.
 * A paused service refuses what needs a running database or its nodes; tags, poolers, the password and leaving a VPC do not.
 */
const serviceTakes = {
    resize: ["READY"],
    setHA: ["READY"],
    attachToVPC: ["READY"],
    detachFromVPC: SETTLED,
    stop: ["READY"],
    start: ["PAUSED"],
    fork: ["READY"],
    "a new read replica set": ["READY"],
    "a change of its connection pooler": SETTLED,
    "a new password": SETTLED,
    "another environment": [...SETTLED, "UNSTABLE"],
    "another name": [...SETTLED, "UNSTABLE"],
    delete: [...SETTLED, "UNSTABLE"],
} as const satisfies Record<string, readonly string[]>;

const replicaSetTakes = {
    resize: ["active"],
    "a change of its connection pooler": ["active"],
    "another environment": ["active", "error"],
    delete: ["active", "error"],
} as const satisfies Record<string, readonly string[]>;

export const shownStatus = (thing: ServiceRecord | ReplicaSetRecord): string => thing.override?.status ?? thing.status;

/** Refuses a request that the service does not take now. */
export function serviceMust(service: ServiceRecord, request: keyof typeof serviceTakes): void {
    mustTake(`Service ${service.id}`, service, request, serviceTakes[request]);
}

/** Refuses a request that the replica set does not take now. */
export function replicaSetMust(set: ReplicaSetRecord, request: keyof typeof replicaSetTakes): void {
    mustTake(`Read replica set ${set.id}`, set, request, replicaSetTakes[request]);
}

function mustTake(
    who: string,
    thing: ServiceRecord | ReplicaSetRecord,
    request: string,
    takes: readonly string[],
): void {
    const status = shownStatus(thing);
    if (thing.steps.length > 0) {
        throw conflict(
            `${who} is busy with a change (status ${status}) and does not take ${request} before it is done; try again later.`,
        );
    }
    if (!takes.includes(status)) {
        throw conflict(`${who} is ${status} and does not take ${request}; it must be ${takes.join(" or ")}.`);
    }
}

import { conflict } from "../errors";
import type { ReplicaSetRecord, ServiceRecord } from "./state";

const atRest = ["READY", "PAUSED"] as const;

/**
 * The statuses in which a service accepts each request. In any other status, and while a change is in progress, it rejects
 * the request with 409. A paused service rejects requests that need a running database or its nodes.
 */
const serviceTakes = {
    resize: ["READY"],
    setHA: ["READY"],
    attachToVPC: ["READY"],
    detachFromVPC: atRest,
    stop: ["READY"],
    start: ["PAUSED"],
    fork: ["READY"],
    "a new read replica set": ["READY"],
    "a change of its connection pooler": atRest,
    "a new password": atRest,
    "another environment": [...atRest, "UNSTABLE"],
    "another name": [...atRest, "UNSTABLE"],
    delete: [...atRest, "UNSTABLE"],
} as const satisfies Record<string, readonly string[]>;

const replicaSetTakes = {
    resize: ["active"],
    "a change of its connection pooler": ["active"],
    "another environment": ["active", "error"],
    delete: ["active", "error"],
} as const satisfies Record<string, readonly string[]>;

export const shownStatus = (record: ServiceRecord | ReplicaSetRecord): string =>
    record.override?.status ?? record.status;

/** Rejects a request that the service does not accept in its current status. */
export function serviceMust(service: ServiceRecord, request: keyof typeof serviceTakes): void {
    mustTake(`Service ${service.id}`, service, request, serviceTakes[request]);
}

/** Rejects a request that the replica set does not accept in its current status. */
export function replicaSetMust(set: ReplicaSetRecord, request: keyof typeof replicaSetTakes): void {
    mustTake(`Read replica set ${set.id}`, set, request, replicaSetTakes[request]);
}

function mustTake(
    subject: string,
    record: ServiceRecord | ReplicaSetRecord,
    request: string,
    statuses: readonly string[],
): void {
    const status = shownStatus(record);
    if (record.steps.length > 0) {
        throw conflict(
            `${subject} is busy with another change (status ${status}) and rejects ${request}. Try again later.`,
        );
    }
    if (!statuses.includes(status)) {
        throw conflict(`${subject} is ${status} and rejects ${request}. It must be ${statuses.join(" or ")}.`);
    }
}

import { valueOf } from "../../base/fields";
import { way } from "../../base/message";
import type { Schemas } from "../../api/contract";
import { creating, deleting, failed, pending, ready, type Outcome } from "../../model/outcome";
import type { OperationsOn, ObservableKind, Reference } from "../../model/resource";
import type { Need } from "../../model/step";

/** The service's own client takes this status for final. The contract does not have it. */
const ended = (status: string): Outcome =>
    failed(status, "the API reports no reason", [
        way("Continue", "check the log of the service, ask the platform, or replace it; the next run reads it again"),
    ]);

/** A service at rest is running or paused. A new one shows the statuses of a change as well. */
const outcomes: Readonly<Record<Schemas["KnownServiceStatus"] | "FAILED" | "ERROR", Outcome>> = {
    READY: ready,
    PAUSED: ready,
    QUEUED: creating("QUEUED"),
    CONFIGURING: creating("CONFIGURING"),
    PAUSING: pending("PAUSING"),
    RESUMING: pending("RESUMING"),
    UPGRADING: pending("UPGRADING", "the platform is upgrading it"),
    OPTIMIZING: pending("OPTIMIZING", "the platform is optimizing it"),
    UNSTABLE: { phase: "pending", status: "UNSTABLE", detail: "it may recover by itself; check its log", isOpen: true },
    DELETING: deleting("DELETING"),
    DELETED: deleting("DELETED"),
    FAILED: ended("FAILED"),
    ERROR: ended("ERROR"),
};

/** Whether a service with this status is paused or is being paused. A status that the contract does not have says nothing. */
export const pausedIn = ({ status }: Pick<Schemas["Service"], "status">): boolean | undefined =>
    Object.hasOwn(outcomes, status) ? status === "PAUSED" || status === "PAUSING" : undefined;

const isPaused = ({ status }: Pick<Schemas["Service"], "status">): boolean => status === "PAUSED";

/** Whether a service with this status is at rest, which includes a paused one, or running. */
export function readiness(
    service: Pick<Schemas["Service"], "status">,
    _inputs?: object,
    needs: Need = "rest",
): Outcome {
    const { status } = service;
    if (isPaused(service) && needs === "running") {
        // It does not resume by itself.
        return mustRun(service, "repeat `pulumi up`, which resumes the service");
    }
    return Object.hasOwn(outcomes, status)
        ? outcomes[status as keyof typeof outcomes]
        : pending(status || "no status", "unknown status");
}

/** The failed run has recorded that the service is paused, so that the next plan resumes it. */
const mustRun = ({ status }: Pick<Schemas["Service"], "status">, text: string): Outcome =>
    failed(status, "it is paused, but must be running", [way("Continue", text)]);

/** Any service, for inputs that contain the id of one. */
export const anyService: ObservableKind<Schemas["Service"]> = {
    type: "Service",
    noun: "service",
    operations: { list: "listServices", get: "getService", delete: "deleteService" } satisfies OperationsOn<
        Schemas["Service"]
    >,
    otherKind: ({ forked_from: parent }) =>
        parent?.is_standby ? "it is a read replica set, not a service" : undefined,
    isGone: ({ status }) => status === "DELETED",
};

/** A reference to a service that has to run for a change of the resource that refers to it. No plan of that one resumes it. */
export const mustBeRunning: Pick<Required<Reference<Schemas["Service"]>>, "kind" | "accepts" | "refusal"> = {
    kind: anyService,
    accepts: (service) =>
        isPaused(service)
            ? mustRun(service, "start it; or declare it with paused: false, run `pulumi refresh`, then `pulumi up`")
            : readiness(service),
    refusal: (inputs) =>
        valueOf(inputs, "paused") === true ? "must run for it: declare paused: false for this run" : undefined,
};

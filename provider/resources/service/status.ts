import { valueOf } from "../../base/fields";
import { way } from "../../base/message";
import type { Schemas, Service } from "../../api/contract";
import { creating, deleting, failed, pending, ready, type Outcome } from "../../model/outcome";
import type { OperationsOn, ObservableKind, Reference } from "../../model/resource";
import type { Need } from "../../model/step";

export type Status = Schemas["KnownServiceStatus"];

type Meaning = "running" | "paused" | "creating" | "changing" | "deleting" | { readonly pending: string };

/**
 * The meaning of each status for a wait. A service is at rest if it is running or paused. A new one shows the statuses of a
 * change as well.
 */
const meanings: Readonly<Record<Status, Meaning>> = {
    READY: "running",
    PAUSED: "paused",
    QUEUED: "creating",
    CONFIGURING: "creating",
    PAUSING: "changing",
    RESUMING: "changing",
    UPGRADING: { pending: "the platform is upgrading it" },
    OPTIMIZING: { pending: "the platform is optimizing it" },
    UNSTABLE: { pending: "it may recover by itself; check its log" },
    DELETING: "deleting",
    DELETED: "deleting",
};

function statusMeaningOf({ status }: Pick<Service, "status">): Meaning {
    return Object.hasOwn(meanings, status) ? meanings[status as Status] : { pending: "unknown status" };
}

/** Whether a service with this status is at rest, which includes a paused one, or running. */
export function readiness(service: Pick<Service, "status">, _inputs?: object, needs: Need = "rest"): Outcome {
    const meaning = statusMeaningOf(service);
    switch (meaning) {
        case "running":
            return ready;
        case "paused":
            // It does not resume by itself.
            return needs === "rest" ? ready : mustRun(service, "repeat `pulumi up`, which resumes the service");
        case "creating":
            return creating(service.status);
        case "changing":
            return pending(service.status);
        case "deleting":
            return deleting(service.status);
        default:
            return pending(service.status, meaning.pending);
    }
}

/** The failed run has recorded that the service is paused, so that the next plan resumes it. */
const mustRun = ({ status }: Pick<Service, "status">, text: string): Outcome =>
    failed(status, "it is paused, but must be running", [way("Continue", text)]);

/** Any service, for inputs that contain the id of one. */
export const anyService: ObservableKind<Service> = {
    type: "Service",
    noun: "service",
    operations: { list: "listServices", get: "getService", delete: "deleteService" } satisfies OperationsOn<Service>,
    otherKind: ({ forked_from: parent }) =>
        parent?.is_standby ? "it is a read replica set, not a service" : undefined,
};

/** A reference to a service that has to run for a change of the resource that refers to it. No plan of that one resumes it. */
export const mustBeRunning: Pick<Required<Reference<Service>>, "kind" | "accepts" | "declinesWith"> = {
    kind: anyService,
    accepts: (service) =>
        statusMeaningOf(service) === "paused"
            ? mustRun(service, "start it; or declare it with paused: false, run `pulumi refresh`, then `pulumi up`")
            : readiness(service, {}, "running"),
    declinesWith: (inputs) =>
        valueOf(inputs, "paused") === true ? "must run for it: declare paused: false until it exists" : undefined,
};

import { valueOf } from "../../base/fields";
import { way } from "../../base/message";
import type { Service, Schemas } from "../../api/contract";
import type { knownServiceStatusValues } from "../../api/operations.gen";
import { creating, deleting, failed, pending, ready, type Outcome } from "../../model/outcome";
import type { OperationsOn, ObservableKind, Reference } from "../../model/resource";
import type { Need } from "../../model/step";
import type { Size } from "../../base/size";
import { endpoints } from "../database";
import { property } from "../property";
import { outputsIn, type ObservedOf } from "../../model/outputs";

/** The service that a fork was created from. */
export interface ForkedFrom {
    /** The id of its project. */
    readonly projectId?: string;
    /** The id of the service. */
    readonly serviceId?: string;
}

const { shown, maybeShown, ownId } = outputsIn<Service>();

/** The outputs that a response shows. */
export const observed = {
    ...endpoints,
    /** The name, declared or generated. */
    name: shown((item) => item.name),
    /** The region that hosts the service. */
    regionCode: shown((item) => item.region_code),
    /** CPU in millicores, or `"shared"`. Undefined if the API does not report it. */
    cpuMillis: maybeShown((item) => sizeIn(item, "cpu_millis")),
    /** Memory in gigabytes, or `"shared"`. Undefined if the API does not report it. */
    memoryGbs: maybeShown((item) => sizeIn(item, "memory_gbs")),
    /** The number of high-availability replicas. */
    replicaCount: shown((item) => item.ha_replicas?.replica_count ?? 0),
    /** The number of replicas that are synchronous. */
    syncReplicaCount: shown((item) => item.ha_replicas?.sync_replica_count ?? 0),
    /** The id of the VPC that the service is attached to. Undefined if it is not attached. */
    vpcId: maybeShown((item) => item.vpc_endpoint?.vpc_id),
    /** Whether the service is paused or is being paused. */
    paused: shown(({ status }) => status === "PAUSED" || status === "PAUSING"),
    /** The id of the service. */
    serviceId: ownId((item) => item.service_id),
    /** The status at the last read: `READY`, `PAUSED`, or a transitional status such as `CONFIGURING`. */
    status: shown((item): string => item.status),
    /** The service type, as the API reports it, for example `POSTGRES`. */
    serviceType: shown((item): string => item.service_type),
    /** The time of creation (RFC 3339). */
    created: shown((item) => item.created),
    /** The host within the VPC. Undefined if the service is not attached to a VPC. */
    vpcHost: maybeShown((item) => item.vpc_endpoint?.host),
    /** The port within the VPC. Undefined if the service is not attached to a VPC. */
    vpcPort: maybeShown((item) => item.vpc_endpoint?.port),
    /** The project and the service that a fork was created from, as the API reports them. Undefined if it is not a fork. */
    forkedFrom: maybeShown(parentOf),
    /** The environment tag: `DEV` or `PROD`. */
    environment: property(
        shown((item): string => item.metadata?.environment ?? "DEV"),
        {
            byDefault: "DEV",
            set: (environment) => ({
                operation: "setEnvironment",
                body: { environment: environment as Schemas["EnvironmentTag"] },
            }),
            text: "environment",
        },
    ),
};

/** The observed state of a service. */
export interface ServiceObserved extends ObservedOf<typeof observed> {}

function sizeIn({ resources: [first] }: Service, name: "cpu_millis" | "memory_gbs"): Size | undefined {
    return first?.spec && (first.spec[name] ?? "shared");
}

function parentOf({
    forked_from: { project_id: projectId, service_id: serviceId } = {},
}: Service): ForkedFrom | undefined {
    return serviceId === undefined ? undefined : { serviceId, ...(projectId === undefined ? {} : { projectId }) };
}

export type Status = (typeof knownServiceStatusValues)[number];

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

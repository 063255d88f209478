import { valueOf } from "../../base/fields";
import { way } from "../../base/message";
import type { Service, Schemas } from "../../api/contract";
import { creating, deleting, failed, pending, ready, type Outcome } from "../../model/outcome";
import type { OperationsOn, ObservableKind, Reference } from "../../model/resource";
import type { Need } from "../../model/step";
import type { Size } from "../../base/size";
import { observeEndpoints, type Endpoints } from "../database";
import { observeProperties, type ObservedOf, property } from "../property";
import { present } from "../../model/outputs";

/** The inputs that one operation sets. `fields` has the tests of their values. */
export const properties = {
    /** The environment tag: `DEV` or `PROD`. */
    environment: property({
        read: ({ metadata }: Service): string => metadata?.environment ?? "DEV",
        output: present,
        byDefault: "DEV",
        set: (environment) => ({
            operation: "setEnvironment",
            body: { environment: environment as Schemas["EnvironmentTag"] },
        }),
        text: "environment",
    }),
};

/** The service that a fork was created from. */
export interface ForkedFrom {
    /** The id of its project. */
    readonly projectId?: string;
    /** The id of the service. */
    readonly serviceId?: string;
}

/** The observed state of a service. */
export interface ServiceObserved extends Endpoints, ObservedOf<typeof properties> {
    /** The name, declared or generated. */
    readonly name: string;
    /** The region that hosts the service. */
    readonly regionCode: string;
    /** CPU in millicores, or `"shared"`. Undefined if the API does not report it. */
    readonly cpuMillis: Size | undefined;
    /** Memory in gigabytes, or `"shared"`. Undefined if the API does not report it. */
    readonly memoryGbs: Size | undefined;
    /** The number of HA replicas. */
    readonly replicaCount: number;
    /** The number of HA replicas that are synchronous. */
    readonly syncReplicaCount: number;
    /** The id of the VPC that the service is attached to. Undefined if it is not attached. */
    readonly vpcId: string | undefined;
    /** Whether the service is paused or is being paused. */
    readonly paused: boolean;
    /** The id of the service. */
    readonly serviceId: string;
    /** The status at the last read, for example `READY`. */
    readonly status: string;
    /** The service type, as the API reports it, for example `POSTGRES`. */
    readonly serviceType: string;
    /** The time of creation (RFC 3339). */
    readonly created: string;
    /** The host within the VPC. Undefined without a VPC. */
    readonly vpcHost: string | undefined;
    /** The port within the VPC. Undefined without a VPC. */
    readonly vpcPort: number | undefined;
    /** The project and the service that a fork was created from. Undefined if it is not a fork. */
    readonly forkedFrom: ForkedFrom | undefined;
}

/** The only mapping from an API response to the state. */
export function observe(service: Service): ServiceObserved {
    const spec = service.resources[0]?.spec;
    const vpc = service.vpc_endpoint;
    const { project_id: parentProject, service_id: parent } = service.forked_from ?? {};
    return {
        name: service.name,
        regionCode: service.region_code,
        cpuMillis: spec && (spec.cpu_millis ?? "shared"),
        memoryGbs: spec && (spec.memory_gbs ?? "shared"),
        replicaCount: service.ha_replicas?.replica_count ?? 0,
        syncReplicaCount: service.ha_replicas?.sync_replica_count ?? 0,
        vpcId: vpc?.vpc_id,
        paused: service.status === "PAUSED" || service.status === "PAUSING",
        serviceId: service.service_id,
        status: service.status,
        serviceType: service.service_type,
        created: service.created,
        ...observeEndpoints(service),
        ...observeProperties(properties, service),
        vpcHost: vpc?.host,
        vpcPort: vpc?.port,
        forkedFrom:
            parent === undefined
                ? undefined
                : { serviceId: parent, ...(parentProject === undefined ? {} : { projectId: parentProject }) },
    };
}

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

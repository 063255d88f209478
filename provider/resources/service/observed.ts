import type { Client } from "../../api/client";
import type { ProjectPath, Service } from "../../api/contract";
import type { knownServiceStatusValues } from "../../api/operations.gen";
import { failed, pending, ready, type Outcome } from "../../wait/outcome";
import { getItem, type Source } from "../../wait/source";
import type { ReferredKind } from "../../lifecycle/resource";
import type { OperationContext } from "../../lifecycle/operation";
import { callOptions } from "../../lifecycle/operation";
import type { Size } from "../../inputs/size";
import { observeEndpoints, type Endpoints } from "../database";

/** The service that a fork was created from. */
export interface ForkedFrom {
    /** The id of its project. */
    readonly projectId?: string;
    /** The id of the service. */
    readonly serviceId?: string;
}

/** The observed state of a service. */
export interface ServiceObserved extends Endpoints {
    /** The name, declared or generated. */
    readonly name: string;
    /** The region that hosts the service. */
    readonly regionCode: string;
    /** CPU in millicores, or `"shared"`. Undefined if the API does not report it. */
    readonly cpuMillis: Size | undefined;
    /** Memory in gigabytes, or `"shared"`. Undefined if the API does not report it. */
    readonly memoryGbs: Size | undefined;
    /** The number of high-availability replicas. */
    readonly replicaCount: number;
    /** The number of replicas that are synchronous. */
    readonly syncReplicaCount: number;
    /** The id of the VPC that the service is attached to. Undefined if it is not attached. */
    readonly vpcId: string | undefined;
    /** The environment tag: `DEV` or `PROD`. */
    readonly environment: string;
    /** Whether the service is paused or is being paused. */
    readonly paused: boolean;
    /** The id of the service. */
    readonly serviceId: string;
    /** The status at the last read: `READY`, `PAUSED`, or a transitional status such as `CONFIGURING`. */
    readonly status: string;
    /** The service type, as the API reports it, for example `POSTGRES`. */
    readonly serviceType: string;
    /** The time of creation (RFC 3339). */
    readonly created: string;
    /** The host within the VPC. Undefined if the service is not attached to a VPC. */
    readonly vpcHost: string | undefined;
    /** The port within the VPC. Undefined if the service is not attached to a VPC. */
    readonly vpcPort: number | undefined;
    /** The project and the service that a fork was created from, as the API reports them. Undefined if it is not a fork. */
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
        environment: service.metadata?.environment ?? "DEV",
        paused: service.status === "PAUSED" || service.status === "PAUSING",
        serviceId: service.service_id,
        status: service.status,
        serviceType: service.service_type,
        created: service.created,
        ...observeEndpoints(service),
        vpcHost: vpc?.host,
        vpcPort: vpc?.port,
        forkedFrom:
            parent === undefined
                ? undefined
                : { serviceId: parent, ...(parentProject === undefined ? {} : { projectId: parentProject }) },
    };
}

export type Status = (typeof knownServiceStatusValues)[number];

/** The meaning of each status for a wait. A service is at rest if it is running or paused. */
const meanings: Readonly<Record<Status, "running" | "paused" | "deleting" | { readonly pending: string | undefined }>> =
    {
        READY: "running",
        PAUSED: "paused",
        QUEUED: { pending: undefined },
        CONFIGURING: { pending: undefined },
        PAUSING: { pending: undefined },
        RESUMING: { pending: undefined },
        UPGRADING: { pending: "the platform is upgrading it" },
        OPTIMIZING: { pending: "the platform is optimizing it" },
        UNSTABLE: { pending: "it may recover by itself; check its log" },
        DELETING: "deleting",
        DELETED: "deleting",
    };

function meaningOf({ status }: Pick<Service, "status">) {
    return Object.hasOwn(meanings, status) ? meanings[status as Status] : { pending: "unknown status" };
}

/** Whether the service is being deleted. */
export function isDeleting(service: Service): boolean {
    return meaningOf(service) === "deleting";
}

/** Whether a service with this status is at rest: running or paused. */
export function readiness(service: Pick<Service, "status">): Outcome {
    const meaning = meaningOf(service);
    if (meaning === "deleting") {
        return failed(service.status, "it is being deleted");
    }
    return typeof meaning === "string" ? ready : pending(service.status, meaning.pending);
}

/**
 * Whether the service is running and at rest. A paused service fails the wait, because it does not resume by itself.
 */
export function running(service: Service): Outcome {
    if (meaningOf(service) === "paused") {
        const remedy = "it is paused, but must be running; start it, or run `pulumi refresh` and then `pulumi up`";
        return failed(service.status, remedy);
    }
    return readiness(service);
}

/** Whether the platform is changing or deleting the service, which may release the VPC that it uses. */
export function changing(service: Service): boolean {
    const meaning = meaningOf(service);
    return meaning === "deleting" || (typeof meaning === "object" && meaning.pending === undefined);
}

/** Whether the parent of a fork or of a read replica set is the reason for a rejection. */
export async function parentObstacle(
    serviceId: string,
    path: ProjectPath,
    context: OperationContext,
    accepts: (parent: Service) => Outcome = running,
): Promise<Outcome> {
    const parent = await getItem(sourceOfServices(path, context.client), serviceId, callOptions(context));
    if (parent === undefined) {
        return ready;
    }
    const outcome = accepts(parent);
    return outcome.kind === "failed"
        ? failed(outcome.status, `service ${serviceId} is ${outcome.status}: ${outcome.reason}`)
        : outcome;
}

/** All services, for inputs that contain the id of a service. */
export const anyService: ReferredKind = {
    type: "Service",
    noun: "service",
    sourceIn: (path, client) => sourceOfServices(path, client),
};

/** All services of a project, without the entries that represent a read replica set. */
export function sourceOfServices(path: ProjectPath, client: Client): Source<Service> {
    return {
        key: `services of project ${path.project_id}`,
        list: async (options) =>
            (await client.call("listServices", { path }, options)).filter(
                ({ forked_from: parent }) => !parent?.is_standby,
            ),
        get: (id, options) => client.call("getService", { path: { ...path, service_id: id } }, options),
        idOf: (service) => service.service_id,
    };
}

import type { Client } from "../../api/client";
import type { Service } from "../../api/contract";
import type { knownServiceStatusValues } from "../../api/operations.gen";
import { failed, pending, ready, type Outcome } from "../../wait/outcome";
import type { Source } from "../../wait/poller";
import type { Path } from "../../lifecycle/resource";
import { undefinedIfNotFound } from "../../api/errors";
import type { OperationContext } from "../../lifecycle/operation";
import { retryBudget } from "../../lifecycle/operation";
import type { Size } from "../../inputs/size";

/** The observed state of a service. */
export interface ServiceObserved {
    /** The name of the service. */
    readonly name: string;
    /** The region that hosts the service. */
    readonly regionCode: string;
    /** CPU in millicores, or `"shared"`. */
    readonly cpuMillis: Size | undefined;
    /** Memory in gigabytes, or `"shared"`. */
    readonly memoryGbs: Size | undefined;
    /** The number of high-availability replicas. */
    readonly replicaCount: number;
    /** The number of replicas that are synchronous. */
    readonly syncReplicaCount: number;
    /** The VPC that the service is attached to. */
    readonly vpcId: string | undefined;
    /** The environment tag. */
    readonly environment: string;
    /** Whether the service has a connection pooler. */
    readonly connectionPooler: boolean;
    /** Whether the service is paused or is being paused. */
    readonly paused: boolean;
    /** The id of the service. */
    readonly serviceId: string;
    /** The status: READY, PAUSED, or a status in progress. */
    readonly status: string;
    /** The type that the API reports. */
    readonly serviceType: string;
    /** The time of creation (RFC 3339). */
    readonly created: string;
    /** Host of the direct endpoint. */
    readonly host: string | undefined;
    /** Port of the direct endpoint. */
    readonly port: number | undefined;
    /** Host of the connection pooler, if there is one. */
    readonly poolerHost: string | undefined;
    /** Port of the connection pooler, if there is one. */
    readonly poolerPort: number | undefined;
    /** Host within the VPC, if the service is attached to one. */
    readonly vpcHost: string | undefined;
    /** Port within the VPC, if the service is attached to one. */
    readonly vpcPort: number | undefined;
    /** The parent, if the service is a fork. */
    readonly forkedFrom: { readonly projectId?: string; readonly serviceId?: string } | undefined;
}

/** The only mapping from a response of the API to the state. */
export function observe(service: Service): ServiceObserved {
    const spec = service.resources[0]?.spec;
    const vpc = service.vpc_endpoint;
    const pooler = service.connection_pooler?.endpoint;
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
        connectionPooler: pooler !== undefined,
        paused: service.status === "PAUSED" || service.status === "PAUSING",
        serviceId: service.service_id,
        status: service.status,
        serviceType: service.service_type,
        created: service.created,
        host: service.endpoint?.host,
        port: service.endpoint?.port,
        poolerHost: pooler?.host,
        poolerPort: pooler?.port,
        vpcHost: vpc?.host,
        vpcPort: vpc?.port,
        forkedFrom:
            parent === undefined
                ? undefined
                : { serviceId: parent, ...(parentProject === undefined ? {} : { projectId: parentProject }) },
    };
}

type Status = (typeof knownServiceStatusValues)[number];

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

function meaningOf({ status }: Service) {
    return status in meanings ? meanings[status as Status] : { pending: "unknown status" };
}

/** Whether the service is being deleted. */
export function isDeleting(service: Service): boolean {
    return meaningOf(service) === "deleting";
}

/** Whether the service is at rest: running or paused. */
export function readiness(service: Service): Outcome {
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
        return failed(service.status, remedy, "paused");
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
    path: Path,
    context: OperationContext,
    accepts: (parent: Service) => Outcome = running,
): Promise<Outcome> {
    const parent = await sourceOfServices(path, context.client).get?.(serviceId, retryBudget(context));
    if (parent === undefined) {
        return ready;
    }
    const outcome = accepts(parent);
    return outcome.kind === "failed"
        ? failed(outcome.status, `service ${serviceId} is ${outcome.status}: ${outcome.reason}`)
        : outcome;
}

/** All services of a project, without the entries that represent a read replica set. */
export function sourceOfServices({ project_id: projectId }: Path, client: Client): Source<Service> {
    return {
        key: `services of project ${projectId}`,
        list: async (options) =>
            (await client.listServices(projectId, options)).filter(({ forked_from: parent }) => !parent?.is_standby),
        get: (id, options) => undefinedIfNotFound(client.getService(projectId, id, options)),
        idOf: (service) => service.service_id,
    };
}

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

/** What is seen of a service. */
export interface ServiceObserved {
    /** Its name. */
    readonly name: string;
    /** The region that hosts it. */
    readonly regionCode: string;
    /** CPU in millicores, or `"shared"`. */
    readonly cpuMillis: Size | undefined;
    /** Memory in gigabytes, or `"shared"`. */
    readonly memoryGbs: Size | undefined;
    /** High-availability replicas. */
    readonly replicaCount: number;
    /** How many of the replicas are synchronous. */
    readonly syncReplicaCount: number;
    /** The VPC that it is attached to. */
    readonly vpcId: string | undefined;
    /** Its environment tag. */
    readonly environment: string;
    /** Whether there is a connection pooler in front of it. */
    readonly connectionPooler: boolean;
    /** Whether it is paused, or on its way there. */
    readonly paused: boolean;
    /** Its id. */
    readonly serviceId: string;
    /** Its status: READY, PAUSED, or one on the way. */
    readonly status: string;
    /** Its type, as the service names it. */
    readonly serviceType: string;
    /** When it was made (RFC 3339). */
    readonly created: string;
    /** Host of the direct endpoint. */
    readonly host: string | undefined;
    /** Port of the direct endpoint. */
    readonly port: number | undefined;
    /** Host of the connection pooler, where there is one. */
    readonly poolerHost: string | undefined;
    /** Port of the connection pooler, where there is one. */
    readonly poolerPort: number | undefined;
    /** Host within the VPC, where it is attached to one. */
    readonly vpcHost: string | undefined;
    /** Port within the VPC, where it is attached to one. */
    readonly vpcPort: number | undefined;
    /** The parent of a fork. */
    readonly forkedFrom: { readonly projectId?: string; readonly serviceId?: string } | undefined;
}

/** The one mapping from the service's answer to what the state holds. */
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

/** What each status means for a wait: at rest while running or paused, on its way there, or on its way out. */
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
        UNSTABLE: { pending: "it may recover by itself; its log may tell why" },
        DELETING: "deleting",
        DELETED: "deleting",
    };

function meaningOf({ status }: Service) {
    // A status that is not in the table is one on the way.
    return status in meanings ? meanings[status as Status] : { pending: "a status that this version does not know" };
}

/** Whether it is being deleted. */
export function isDeleting(service: Service): boolean {
    return meaningOf(service) === "deleting";
}

/** Whether nothing is going on with it: it runs or is paused. */
export function readiness(service: Service): Outcome {
    const meaning = meaningOf(service);
    if (meaning === "deleting") {
        return failed(service.status, "it is being deleted");
    }
    return typeof meaning === "string" ? ready : pending(service.status, meaning.pending);
}

/** Whether it runs and is at rest; a pause that nobody planned is not waited out. */
export function running(service: Service): Outcome {
    if (meaningOf(service) === "paused") {
        const remedy =
            "it is paused, and this needs it running; start it, or run `pulumi refresh` and then `pulumi up`";
        return failed(service.status, remedy, "paused");
    }
    return readiness(service);
}

/** Whether the platform is changing or deleting it, so that what it uses may become free. */
export function changing(service: Service): boolean {
    const meaning = meaningOf(service);
    return meaning === "deleting" || (typeof meaning === "object" && meaning.pending === undefined);
}

/** Whether the service that another resource is made from, or belongs to, is the reason for a rejection. */
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

/** All services of a project but those that stand for a replica set. */
export function sourceOfServices({ project_id: projectId }: Path, client: Client): Source<Service> {
    return {
        key: `services of project ${projectId}`,
        list: async (options) =>
            (await client.listServices(projectId, options)).filter(({ forked_from: parent }) => !parent?.is_standby),
        get: (id, options) => undefinedIfNotFound(client.getService(projectId, id, options)),
        idOf: (service) => service.service_id,
    };
}

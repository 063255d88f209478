import type { PathOf, Schemas } from "../../api/contract";
import { absentMeans } from "../../api/operations.gen";
import type { PartialSize, Size } from "../../base/size";
import {
    commonOutputs,
    derivedSecret,
    maybeAbsent,
    outputsIn,
    partOf,
    recordedSecret,
    secretOutput,
    type CommonOutputs,
    type ObservedOf,
    type OutputFields,
} from "../../model/outputs";
import { endpointIn, endpointsWith, environmentSetBy, loginOutputs, portOf, urlOf } from "../database";
import type { DirectEndpoint, Login, Verification } from "../database";
import { show, computed } from "../../base/fields";
import type { ServiceInputs } from "./inputs";
import { pausedIn } from "./status";
import type { PasswordSource } from "./passwordSource";

/** The service that a fork was created from. */
interface ForkedFrom {
    /** The id of its project. */
    readonly projectId?: string;
    /** The id of the service. */
    readonly serviceId?: string;
}

const { shown, maybeShown, ownId, withDefault } = outputsIn<Schemas["Service"], PathOf<"listServices">>();

/** The outputs that a response shows. */
export const observed = {
    ...endpointsWith("enablePooler", "disablePooler"),
    /** The name, declared or generated. */
    name: shown((item) => item.name, {
        set: (name) => ({ operation: "renameService", body: { name } }),
        title: (from, to) => `rename ${show(from)} -> ${show(to)}`,
        needs: "rest",
        ifUnsupported: (from) => `declare name: ${show(from)} again`,
    }),
    /** The region that hosts the service. */
    regionCode: shown((item) => item.region_code),
    /** CPU in millicores, or `"shared"`. Undefined only if the API does not report it. */
    cpuMillis: shownSize((spec) => spec.cpu_millis),
    /** Memory in gigabytes, or `"shared"`. Undefined only if the API does not report it. */
    memoryGbs: shownSize((spec) => (isShared(spec) ? "shared" : spec.memory_gbs)),
    /** The number of HA replicas. */
    replicaCount: withDefault<number>(absentMeans.HaReplicas.replica_count, (item) => item.ha_replicas?.replica_count),
    /** The number of HA replicas that are synchronous. */
    syncReplicaCount: withDefault<number>(
        absentMeans.HaReplicas.sync_replica_count,
        (item) => item.ha_replicas?.sync_replica_count,
    ),
    /** The id of the VPC that the service is attached to. Undefined without a VPC. */
    vpcId: { ...maybeShown((item) => partOf(attached(item), ({ vpc_id }) => vpc_id)), byDefault: undefined },
    /** Whether the service is paused or is being paused. */
    paused: withDefault<boolean>(false, pausedIn),
    /** The id of the service. */
    serviceId: ownId((item) => item.service_id),
    /** The status at the last read, for example `READY`. */
    status: shown<string>((item) => item.status),
    /** The service type, as the API reports it, for example `POSTGRES`. */
    serviceType: shown<string>((item) => item.service_type),
    /** The time of creation (RFC 3339). */
    created: shown((item) => item.created),
    /** The host within the VPC. Undefined without a VPC. */
    vpcHost: maybeShown((item) => partOf(attached(item), ({ host }) => host)),
    /** The port within the VPC. Undefined without a VPC. */
    vpcPort: maybeShown((item) => partOf(attached(item), portOf)),
    /** The project and the service that a fork was created from. Undefined if it is not a fork. */
    forkedFrom: maybeShown<ForkedFrom>(originOf),
    /** The environment tag: `DEV` or `PROD`. */
    environment: { ...environmentSetBy("setEnvironment"), byDefault: absentMeans.Metadata.environment },
};

/** The observed state of a service. */
export interface ServiceObserved extends ObservedOf<typeof observed> {}

/** What a service uses, in whole numbers. A value that the API does not report is absent. */
export interface ServiceUsage {
    /** CPU in millicores. */
    readonly cpuMillis?: number;
    /** Memory in MB. */
    readonly memoryMb?: number;
    /** Storage in MB. */
    readonly storageMb?: number;
}

/** What a response shows and only functions return. It changes by itself, so no state has it. */
export const reported = {
    /** What the service uses at the time of the read. Undefined if the API does not report it. */
    usage: maybeShown(usageIn),
    /** The type of the storage volume, for example `gp3`. Undefined if the API does not report it. */
    volumeType: maybeShown(({ resources: [{ spec } = {}] }) => spec?.volume_type),
};

/** The part of a service that only functions return. */
export interface ServiceReported extends ObservedOf<typeof reported> {}

function usageIn({ metrics = {} }: Schemas["Service"]): ServiceUsage | undefined {
    const { milli_cpu: cpuMillis, memory_mb: memoryMb, storage_mb: storageMb } = metrics;
    const known = Object.entries({ cpuMillis, memoryMb, storageMb }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Math.round(value)] as const],
    );
    return known.length === 0 ? undefined : Object.fromEntries(known);
}

type Spec = NonNullable<Schemas["Service"]["resources"][number]["spec"]>;

/** The contract has this value for a `spec` without CPU. */
const isShared = ({ cpu_millis: cpu }: Spec): boolean => (cpu as unknown) === "shared";

/**
 * A part of the size. Its type is that of an input, which it can be: the platform reports it for each service. A paused service
 * without a size keeps the known one.
 */
function shownSize(part: (spec: Spec) => Size | undefined) {
    const read = (
        { resources: [{ spec } = {}], status }: Schemas["Service"],
        _: unknown,
        known: Partial<PartialSize>,
    ) => {
        const isKept = spec && isShared(spec) && status === "PAUSED" && known.cpuMillis !== undefined;
        return spec === undefined || isKept ? undefined : part(spec);
    };
    return { ...maybeAbsent, read: read as (item: Schemas["Service"]) => Size };
}

const attached = ({ vpc_endpoint: endpoint }: Schemas["Service"]) => endpointIn(endpoint);

/** The parent of a fork, which is in the project of the fork if the response does not say. Null if a service is no fork. */
function originOf(
    { forked_from: { project_id: projectId, service_id: serviceId } = {} }: Schemas["Service"],
    path: PathOf<"listServices">,
) {
    if (serviceId === undefined) {
        return projectId === undefined ? null : undefined;
    }
    return { serviceId, projectId: projectId ?? path.project_id };
}

/** The outputs of a service that no read shows. */
interface Unread {
    /** The declared addons. Undefined if not declared. */
    readonly addons: ServiceInputs["addons"];
    /** The declared source of a fork. Undefined if not declared. */
    readonly fork: ServiceInputs["fork"];
    /** The declared password. Undefined if none was declared, and with `passwordVersion`. Secret. */
    readonly password: string | undefined;
    /**
     * The password that the API generated at creation. Undefined if this stack has not created the service, and with
     * `passwordVersion`. Secret.
     */
    readonly initialPassword: string | undefined;
    /**
     * The `postgres://` URL of the direct endpoint, with `currentPassword` if that is known. Undefined in the same cases as
     * `host`. Secret.
     */
    readonly connectionString: string;
    /**
     * The declared `password`, otherwise the `initialPassword`. Empty if the state has neither. Secret.
     */
    readonly currentPassword: string | undefined;
    /** The `postgres://` URL of the connection pooler, with the same password. Undefined without a pooler. Secret. */
    readonly poolerConnectionString: string | undefined;
    /** The `postgres://` URL within the VPC, with the same password. Undefined without a VPC. Secret. */
    readonly vpcConnectionString: string | undefined;
}

/** The inputs and outputs of a service that only the state holds. */
export interface ServiceHeld
    extends
        Pick<Unread, "addons" | "fork" | "password" | "initialPassword">,
        Verification,
        Omit<PasswordSource, "passwordVersion"> {
    /** The version of the password in force. Absent unless the program declares one. */
    readonly passwordVersion: PasswordSource["passwordVersion"] | undefined;
}

/** The outputs of a service. */
export interface ServiceOutputs
    extends CommonOutputs, Omit<ServiceObserved, keyof DirectEndpoint>, DirectEndpoint, Login, Unread {}

export const outputs = {
    ...commonOutputs,
    ...observed,
    addons: maybeAbsent,
    fork: maybeAbsent,
    ...loginOutputs,
    password: secretOutput,
    initialPassword: recordedSecret,
    // Not absent: previews in Python take an absent output for unknown.
    currentPassword: derivedSecret(["passwordVersion", "password", "initialPassword"], (version, declared, initial) =>
        version === undefined ? (declared ?? initial ?? "") : version === computed ? computed : "",
    ),
    connectionString: { ...urlOf("host", "port", "currentPassword"), inEveryState: true },
    poolerConnectionString: urlOf("poolerHost", "poolerPort", "currentPassword"),
    vpcConnectionString: urlOf("vpcHost", "vpcPort", "currentPassword"),
} satisfies OutputFields<ServiceOutputs>;

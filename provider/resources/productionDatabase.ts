import { nativeToken } from "../inputs/names";
import { memoryFor } from "../inputs/size";
import type { ReadReplicaSetInputs } from "./readReplicaSet";
import type { ServiceInputs } from "./service/service";

// The component for production, as inputs of the resources that it consists of. The values may be outputs, which each
// caller represents in its own way.

/** The type of the component in the state, on both hosts. */
export const productionDatabaseType = nativeToken("ProductionDatabase");

/** The inputs of a production database, except its read replica sets. */
export interface ProductionDatabaseInputs extends Omit<ServiceInputs, "cpuMillis" | "memoryGbs"> {
    /** CPU of the service in millicores. A change resizes the service in place (`POST …/resize`), which restarts it. */
    cpuMillis: number;
    /**
     * Memory of the service in gigabytes. A change resizes the service in place (`POST …/resize`), which restarts it.
     * @default `cpuMillis / 250`
     */
    memoryGbs?: number;
}

/** The inputs of a read replica set of a production database. The component sets the others. */
export type ReadReplicaInputs = Partial<Omit<ReadReplicaSetInputs, "serviceId" | "projectId" | "password">>;

/** The defaults for production. */
export const productionDefaults = {
    replicaCount: 1,
    connectionPooler: true,
    environment: "PROD",
} as const;

/** The outputs of the service that the component has, too. */
export const urlOutputs = ["connectionString", "poolerConnectionString", "vpcConnectionString"] as const;

/** Derives a value from one that may be an output. */
export type Derive = (value: unknown, change: (known: number) => number) => unknown;

/** The inputs, each of which may be an output. */
type Given<Inputs> = { readonly [Key in keyof Inputs]?: unknown };

/** The inputs of the service, which has the name of the component. */
export function inputsOfService(args: Given<ProductionDatabaseInputs>, derive: Derive): Given<ServiceInputs> {
    return {
        ...args,
        memoryGbs: args.memoryGbs ?? derive(args.cpuMillis, memoryFor),
        replicaCount: args.replicaCount ?? productionDefaults.replicaCount,
        connectionPooler: args.connectionPooler ?? productionDefaults.connectionPooler,
        environment: args.environment ?? productionDefaults.environment,
    };
}

/** The resource name of a read replica set, which the component knows by its key. */
export const nameOfReplicaSet = (component: string, key: string): string => `${component}-${key}`;

/** The inputs of a read replica set, except those that are outputs of the service. */
export function inputsOfReplicaSet(
    replicas: Given<ReadReplicaInputs>,
    args: Given<ProductionDatabaseInputs>,
    derive: Derive,
): Given<ReadReplicaSetInputs> {
    const cpuMillis = replicas.cpuMillis ?? args.cpuMillis;
    const memoryOfService = replicas.cpuMillis === undefined ? args.memoryGbs : undefined;
    return {
        ...replicas,
        sslMode: replicas.sslMode ?? args.sslMode,
        sslRootCert: replicas.sslRootCert ?? args.sslRootCert,
        nodes: replicas.nodes ?? 1,
        cpuMillis,
        memoryGbs: replicas.memoryGbs ?? memoryOfService ?? derive(cpuMillis, memoryFor),
    };
}

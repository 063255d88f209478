import { nativeToken } from "../../provider/base/names";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import type { ServiceInputs } from "../../provider/resources/service/service";

// What the schema and the class of the component have in common.

/** The type of the component in the state, on both hosts. */
export const productionDatabaseType = nativeToken("ProductionDatabase");

/** The inputs of a production database, except its read replica sets. */
export interface ProductionDatabaseInputs extends Omit<ServiceInputs, "cpuMillis" | "memoryGbs"> {
    /** CPU of the service in millicores. A change resizes the service in place, which restarts it. */
    cpuMillis: number;
    /**
     * Memory of the service in gigabytes. A change resizes the service in place, which restarts it.
     * @default `cpuMillis / 250`
     */
    memoryGbs?: number;
}

/** The inputs of a read replica set of a production database. The component sets the others. */
export interface ReadReplicaInputs extends Partial<
    Omit<ReadReplicaSetInputs, "serviceId" | "projectId" | "password">
> {}

/** The defaults for production. */
export const productionDefaults = { replicaCount: 1, connectionPooler: true, environment: "PROD" } as const;

/** The outputs of the service that the component has, too. */
export const urlOutputs = ["connectionString", "poolerConnectionString", "vpcConnectionString"] as const;

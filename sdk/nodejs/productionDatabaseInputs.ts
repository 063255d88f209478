import { nativeToken } from "../../provider/base/names";
import type { Size } from "../../provider/base/size";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import type { ServiceInputs } from "../../provider/resources/service/inputs";

// What the schema and the class of the component have in common.

/** The type of the component in the state, on both hosts. */
export const productionDatabaseType = nativeToken("ProductionDatabase");

/** The inputs of a production database, except its read replica sets. */
export interface ProductionDatabaseInputs extends Omit<
    ServiceInputs,
    "cpuMillis" | "memoryGbs" | keyof typeof productionDefaults
> {
    /**
     * CPU of the service in millicores, documented as 500, 1000, 2000, 4000, 8000, 16000, 32000, 48000 or 64000. A change
     * resizes the service in place, which restarts it.
     */
    cpuMillis: Size;
    /**
     * Memory of the service in gigabytes. A change resizes the service in place, which restarts it.
     * @default `cpuMillis / 250`
     */
    memoryGbs?: Size;
    /**
     * The number of HA replicas, documented as 0 to 2. One takes over when the primary fails. A change is made in place.
     * @default 1
     */
    replicaCount?: number;
    /**
     * Whether there is a connection pooler. A change is made in place.
     * @default true
     */
    connectionPooler?: boolean;
    /**
     * The environment tag. A change is made in place.
     * @default "PROD"
     */
    environment?: "DEV" | "PROD";
}

/** The inputs of a read replica set of a production database. The component sets the others. */
export interface ReadReplicaInputs extends Partial<
    Omit<ReadReplicaSetInputs, "serviceId" | "projectId" | "password">
> {}

/** The defaults for production. */
export const productionDefaults = { replicaCount: 1, connectionPooler: true, environment: "PROD" } as const;

/** The outputs of the service that the component has, too. */
export const urlOutputs = ["connectionString", "poolerConnectionString", "vpcConnectionString"] as const;

import * as pulumi from "@pulumi/pulumi";
import { memoryFor } from "../../provider/inputs/size";
import { protection } from "./resource";
import { ReadReplicaSet, type ReadReplicaSetArgs } from "./readReplicaSet";
import { Service, type ServiceArgs } from "./service";

/** The arguments of a {@link ProductionDatabase}: those of {@link Service}, with a required `cpuMillis`, and `readReplicas`. */
export interface ProductionDatabaseArgs<Replicas extends string = string> extends Omit<
    ServiceArgs,
    "cpuMillis" | "memoryGbs"
> {
    /** CPU of the service in millicores. A change resizes the service in place (`POST …/resize`), which restarts it. */
    cpuMillis: pulumi.Input<number>;
    /**
     * Memory of the service in gigabytes. A change resizes the service in place (`POST …/resize`), which restarts it.
     * @default `cpuMillis / 250`
     */
    memoryGbs?: pulumi.Input<number>;
    /**
     * The read replica sets by name, for example `{ reports: { nodes: 2 } }`. Adding a name creates a set, and removing a
     * name deletes it. Before you remove a name, set the `deletionProtection` of its set to false and run `pulumi up`.
     * @default none
     */
    readReplicas?: Record<Replicas, ReadReplicaArgs>;
}

/**
 * The arguments of a read replica set of a {@link ProductionDatabase}. All are optional: the default size is that of the
 * service, and the default of `nodes` is 1.
 */
export type ReadReplicaArgs = Partial<Omit<ReadReplicaSetArgs, "serviceId" | "projectId" | "password">>;

/** The resource classes of one host. */
interface Resources {
    readonly Service: typeof Service;
    readonly ReadReplicaSet: typeof ReadReplicaSet;
}

type Protection = Pick<ServiceArgs, "deletionProtection">;

/**
 * A {@link Service} with defaults for production, and its {@link ReadReplicaSet}s: one high-availability replica, a
 * connection pooler, the environment tag `PROD` and deletion protection. Each default can be overridden by its
 * argument.
 *
 * The resource name of the service is the name of the component. The resource name of a replica set is the name of the
 * component, followed by the name of the set: `orders`, `orders-reports`. The component itself calls no API operation.
 * Changes and errors are those of the two resources.
 */
export class ProductionDatabase<Replicas extends string = string> extends pulumi.ComponentResource {
    /** The service. */
    readonly service: Service;
    /** The read replica sets, by their names in the argument `readReplicas`. */
    readonly readReplicas: Readonly<Record<Replicas, ReadReplicaSet>>;
    /** The `postgres://` URL of the direct endpoint of the service. Secret. */
    readonly connectionString: Service["connectionString"];

    /** The resource classes of this component. */
    protected static readonly resources: Resources = { Service, ReadReplicaSet };

    constructor(name: string, args: ProductionDatabaseArgs<Replicas>, opts?: pulumi.ComponentResourceOptions) {
        super("clouddb:index:ProductionDatabase", name, {}, opts);
        const { readReplicas = {}, ...given } = args;
        const deletionProtection = given.deletionProtection ?? true;
        const children = {
            parent: this,
            // Children do not inherit this option from a component.
            ...(opts?.customTimeouts && { customTimeouts: opts.customTimeouts }),
            ...(opts?.protect === undefined ? {} : { protect: opts.protect }),
        };

        const { resources } = new.target;
        this.service = new resources.Service(
            name,
            {
                ...given,
                memoryGbs: given.memoryGbs ?? pulumi.output(given.cpuMillis).apply(memoryFor),
                replicaCount: given.replicaCount ?? 1,
                connectionPooler: given.connectionPooler ?? true,
                environment: given.environment ?? "PROD",
                deletionProtection,
            },
            children,
        );
        const defaults = { ...given, deletionProtection };
        const sets = Object.entries<ReadReplicaArgs>(readReplicas).map(
            ([key, replicas]) =>
                [key, this.replicate(resources, `${name}-${key}`, replicas, defaults, children)] as const,
        );
        this.readReplicas = Object.fromEntries(sets) as Record<Replicas, ReadReplicaSet>;
        this.connectionString = this.service.connectionString;
        this.registerOutputs({ connectionString: this.connectionString });
    }

    private replicate(
        resources: Resources,
        name: string,
        replicas: ReadReplicaArgs,
        given: Pick<ProductionDatabaseArgs, "cpuMillis" | "memoryGbs"> & Required<Protection>,
        opts: pulumi.CustomResourceOptions,
    ): ReadReplicaSet {
        const { serviceId, projectId, currentPassword: password } = this.service;
        const cpuMillis = replicas.cpuMillis ?? given.cpuMillis;
        const serviceMemory = replicas.cpuMillis === undefined ? given.memoryGbs : undefined;
        const memoryGbs = replicas.memoryGbs ?? serviceMemory ?? pulumi.output(cpuMillis).apply(memoryFor);
        const inputs = {
            ...replicas,
            nodes: replicas.nodes ?? 1,
            cpuMillis,
            memoryGbs,
            serviceId,
            projectId,
            password,
        };
        const deletionProtection = replicas.deletionProtection ?? given.deletionProtection;
        if (typeof deletionProtection !== "boolean") {
            return new resources.ReadReplicaSet(name, { ...inputs, deletionProtection }, opts);
        }
        // Pulumi's `protect` option is enough for a plain value. An additional input would be a change in existing stacks.
        return new resources.ReadReplicaSet(name, inputs, { ...opts, ...protection({ deletionProtection }, opts) });
    }
}

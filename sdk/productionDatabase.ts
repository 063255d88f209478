import * as pulumi from "@pulumi/pulumi";
import { protection } from "./resource";
import { ReadReplicaSet, type ReadReplicaSetArgs } from "./readReplicaSet";
import { Service, type ServiceArgs } from "./service";

/** Every documented size has one gigabyte of memory for so many millicores. */
const millicoresPerGigabyte = 250;

/** The arguments of a {@link ProductionDatabase}: those of its service, of which the size has to be given, and its replicas. */
export interface ProductionDatabaseArgs<Replicas extends string = string> extends Omit<
    ServiceArgs,
    "cpuMillis" | "memoryGbs"
> {
    /** CPU of the service in millicores. */
    cpuMillis: pulumi.Input<number>;
    /**
     * Memory of the service in gigabytes.
     * @default one gigabyte for every 250 millicores
     */
    memoryGbs?: pulumi.Input<number>;
    /**
     * Read replica sets by name, for example `{ reports: { nodes: 2 } }`.
     * @default none
     */
    readReplicas?: Record<Replicas, ReadReplicaArgs>;
}

/** A read replica set of a {@link ProductionDatabase}; without a size it has the service's, without a number of nodes it has one. */
export type ReadReplicaArgs = Partial<Omit<ReadReplicaSetArgs, "serviceId" | "projectId" | "password">>;

type Protection = Pick<ServiceArgs, "deletionProtection">;

/**
 * A database as it is wanted in production: a {@link Service} with a standby, a connection pooler, the tag PROD and deletion
 * protection, and its {@link ReadReplicaSet}s. Each of these can be had otherwise by giving the argument.
 *
 * The service has the component's name, the replica sets have that and their own: `orders`, `orders-reports`.
 */
export class ProductionDatabase<Replicas extends string = string> extends pulumi.ComponentResource {
    /** The service. */
    readonly service: Service;
    /** The read replica sets, under the names of the argument. */
    readonly readReplicas: Readonly<Record<Replicas, ReadReplicaSet>>;
    /** A `postgres://` URL of the service; secret. */
    readonly connectionString: pulumi.Output<string>;

    constructor(name: string, args: ProductionDatabaseArgs<Replicas>, opts?: pulumi.ComponentResourceOptions) {
        super("clouddb:index:ProductionDatabase", name, {}, opts);
        const { readReplicas = {}, ...given } = args;
        const deletionProtection = given.deletionProtection ?? true;
        const children = {
            parent: this,
            // Pulumi does not hand this option on to children by itself.
            ...(opts?.customTimeouts && { customTimeouts: opts.customTimeouts }),
            ...(opts?.protect === undefined ? {} : { protect: opts.protect }),
        };

        this.service = new Service(
            name,
            {
                ...given,
                memoryGbs: given.memoryGbs ?? memoryFor(given.cpuMillis),
                replicaCount: given.replicaCount ?? 1,
                connectionPooler: given.connectionPooler ?? true,
                environment: given.environment ?? "PROD",
                deletionProtection,
            },
            children,
        );
        const sets = Object.entries<ReadReplicaArgs>(readReplicas).map(
            ([key, replicas]) =>
                [key, this.replicate(`${name}-${key}`, replicas, { ...given, deletionProtection }, children)] as const,
        );
        this.readReplicas = Object.fromEntries(sets) as Record<Replicas, ReadReplicaSet>;
        this.connectionString = this.service.connectionString;
        this.registerOutputs({ connectionString: this.connectionString });
    }

    private replicate(
        name: string,
        replicas: ReadReplicaArgs,
        given: Pick<ProductionDatabaseArgs, "cpuMillis" | "memoryGbs"> & Required<Protection>,
        opts: pulumi.CustomResourceOptions,
    ): ReadReplicaSet {
        const { serviceId, projectId, currentPassword: password } = this.service;
        const cpuMillis = replicas.cpuMillis ?? given.cpuMillis;
        const serviceMemory = replicas.cpuMillis === undefined ? given.memoryGbs : undefined;
        const memoryGbs = replicas.memoryGbs ?? serviceMemory ?? memoryFor(cpuMillis);
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
            return new ReadReplicaSet(name, { ...inputs, deletionProtection }, opts);
        }
        // A plain value needs no input, which would be a change in existing stacks: Pulumi's option refuses the deletion.
        return new ReadReplicaSet(name, inputs, { ...opts, ...protection({ deletionProtection }, opts) });
    }
}

function memoryFor(cpuMillis: pulumi.Input<number>): pulumi.Output<number> {
    return pulumi.output(cpuMillis).apply((cpu) => cpu / millicoresPerGigabyte);
}

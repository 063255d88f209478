import * as pulumi from "@pulumi/pulumi";
import type { ReadReplicaSetInputs } from "../provider/resources/readReplicaSet";
import { nullsToUndefined, registration, secretUrl, typeToken, type Args, type OptionalOutputs } from "./resource";

/** The arguments of a {@link ReadReplicaSet}. */
export type ReadReplicaSetArgs = Args<ReadReplicaSetInputs> & ConnectionArgs;

/** Arguments for the connection strings. */
export interface ConnectionArgs {
    /**
     * The password of the service, for example `orders.currentPassword`. Only the connection strings of this object contain
     * it; it is not sent to the API and not kept in the state.
     * @default none: the connection strings contain no password
     */
    password?: pulumi.Input<string | undefined>;
}

/**
 * A set of read-only copies of a service, behind one endpoint of their own.
 *
 * Creating it waits until the service runs, calls `POST …/services/{id}/replicaSets` and waits until the set is `active`.
 * Its id is `<serviceId>/<replicaSetId>`.
 */
export class ReadReplicaSet extends pulumi.CustomResource {
    /** The project that it belongs to. */
    declare readonly projectId: pulumi.Output<string>;
    /** Whether it refuses to be deleted. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** The service that is copied. */
    declare readonly serviceId: pulumi.Output<string>;
    /** Its name, also where the program gives none. */
    declare readonly name: pulumi.Output<string>;
    /** The number of nodes. */
    declare readonly nodes: pulumi.Output<number>;
    /** CPU of each node in millicores. */
    declare readonly cpuMillis: pulumi.Output<number>;
    /** Memory of each node in gigabytes. */
    declare readonly memoryGbs: pulumi.Output<number>;
    /** Whether there is a connection pooler in front of it. */
    declare readonly connectionPooler: pulumi.Output<boolean>;
    /** Its environment tag. */
    declare readonly environment: pulumi.Output<string>;
    /** Its status, as it was last seen: `active`, or one on the way. */
    declare readonly status: pulumi.Output<string>;
    /** Host of its endpoint. */
    declare readonly host: pulumi.Output<string>;
    /** Port of its endpoint. */
    declare readonly port: pulumi.Output<number>;
    /** Host of the connection pooler, where there is one. */
    declare readonly poolerHost: pulumi.Output<string | undefined>;
    /** Port of the connection pooler, where there is one. */
    declare readonly poolerPort: pulumi.Output<number | undefined>;
    /** A `postgres://` URL of the endpoint with the `password`, where that is given; secret. */
    readonly connectionString: pulumi.Output<string | undefined>;
    /** The same URL of the connection pooler, where there is one; secret. */
    readonly poolerConnectionString: pulumi.Output<string | undefined>;
    /** Its id within the service. */
    readonly replicaSetId: pulumi.Output<string>;

    constructor(name: string, args: ReadReplicaSetArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { password, ...inputs } = args;
        const { props, opts: options } = registration("ReadReplicaSet", name, inputs, opts, outputs, []);
        super(typeToken("ReadReplicaSet"), name, props, options);
        nullsToUndefined(this, optionalOutputs);
        this.connectionString = secretUrl(this.host, this.port, password);
        this.poolerConnectionString = secretUrl(this.poolerHost, this.poolerPort, password);
        this.replicaSetId = this.id.apply((id) => id.slice(id.indexOf("/") + 1));
    }

    /** Reads an existing read replica set, by `<serviceId>/<replicaSetId>`, without managing it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ReadReplicaSet {
        return new ReadReplicaSet(name, {} as ReadReplicaSetArgs, { ...opts, id });
    }
}

const outputs = [
    "projectId",
    "deletionProtection",
    "serviceId",
    "name",
    "nodes",
    "cpuMillis",
    "memoryGbs",
    "connectionPooler",
    "environment",
    "status",
    "host",
    "port",
    "poolerHost",
    "poolerPort",
] as const satisfies readonly (keyof ReadReplicaSet)[];

const optionalOutputs = ["poolerHost", "poolerPort"] as const satisfies readonly OptionalOutputs<ReadReplicaSet>[];

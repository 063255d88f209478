import * as pulumi from "@pulumi/pulumi";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import { nullsToUndefined, registration, secretUrl, typeToken, type Args, type OptionalOutputs } from "./resource";

/** The arguments of a {@link ReadReplicaSet}. */
export type ReadReplicaSetArgs = Args<ReadReplicaSetInputs> & ConnectionArgs;

/** The arguments for the connection strings. */
export interface ConnectionArgs {
    /**
     * The password of the service, for example `orders.currentPassword`. It is used in the connection strings of this object
     * only. It is not sent to the API and not stored in the state.
     * @default none: the connection strings contain no password
     */
    password?: pulumi.Input<string | undefined>;
}

/**
 * A set of read-only copies of a service, behind one endpoint.
 *
 * Creating it waits until the service is running, calls `POST …/services/{id}/replicaSets` and waits until the set is `active`.
 * Size, number of nodes, pooler and environment tag are updated in place (`POST …/replicaSets/{id}/resize`, `enablePooler`,
 * `disablePooler`, `setEnvironment`). A change of `serviceId`, `name` or `projectId` replaces the set. Deleting it calls
 * `DELETE …/replicaSets/{id}` and waits until the set is gone. The resource id is `<serviceId>/<replicaSetId>`.
 */
export class ReadReplicaSet extends pulumi.CustomResource {
    /** The id of the project that contains the set. */
    declare readonly projectId: pulumi.Output<string>;
    /** Whether the provider rejects the deletion of the set. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** The id of the service that the set copies. */
    declare readonly serviceId: pulumi.Output<string>;
    /** The name, declared or generated. */
    declare readonly name: pulumi.Output<string>;
    /** The number of nodes. */
    declare readonly nodes: pulumi.Output<number>;
    /** CPU of each node in millicores. */
    declare readonly cpuMillis: pulumi.Output<number>;
    /** Memory of each node in gigabytes. */
    declare readonly memoryGbs: pulumi.Output<number>;
    /** Whether the set has a connection pooler. */
    declare readonly connectionPooler: pulumi.Output<boolean>;
    /** The environment tag: `DEV` or `PROD`. */
    declare readonly environment: pulumi.Output<string>;
    /** The status at the last read: `active`, or a transitional status such as `resizing`. */
    declare readonly status: pulumi.Output<string>;
    /** The host of the endpoint. */
    declare readonly host: pulumi.Output<string>;
    /** The port of the endpoint. */
    declare readonly port: pulumi.Output<number>;
    /** The host of the connection pooler. Undefined if there is no pooler. */
    declare readonly poolerHost: pulumi.Output<string | undefined>;
    /** The port of the connection pooler. Undefined if there is no pooler. */
    declare readonly poolerPort: pulumi.Output<number | undefined>;
    /** The `postgres://` URL of the endpoint. It contains the argument `password` if it is set. Secret. */
    readonly connectionString: pulumi.Output<string | undefined>;
    /** The `postgres://` URL of the connection pooler, with the same password. Undefined if there is no pooler. Secret. */
    readonly poolerConnectionString: pulumi.Output<string | undefined>;
    /** The id of the set within the service. */
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

    /**
     * Reads an existing read replica set by its id `<serviceId>/<replicaSetId>` (`GET …/services/{id}/replicaSets`). Does not
     * manage it.
     */
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

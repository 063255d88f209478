import * as pulumi from "@pulumi/pulumi";
import type { ReadReplicaSetInputs, ReadReplicaSetOutputs } from "../../provider/resources/readReplicaSet";
import { resourceClass, secretUrl, type Args, type OutputsOf } from "./resource";

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

export interface ReadReplicaSet extends OutputsOf<ReadReplicaSetOutputs> {}

/**
 * A set of read-only copies of a service, behind one endpoint.
 *
 * Creating it waits until the service is running, calls `POST …/services/{id}/replicaSets` and waits until the set is `active`.
 * Size, number of nodes, pooler and environment tag are updated in place (`POST …/replicaSets/{id}/resize`, `enablePooler`,
 * `disablePooler`, `setEnvironment`). A change of `serviceId`, `name` or `projectId` replaces the set. Deleting it calls
 * `DELETE …/replicaSets/{id}` and waits until the set is gone. The resource id is `<serviceId>/<replicaSetId>`.
 */
export class ReadReplicaSet extends resourceClass<ReadReplicaSetArgs>("ReadReplicaSet") {
    declare private readonly password: pulumi.Output<string | undefined>;

    constructor(name: string, args: ReadReplicaSetArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { password, ...inputs } = args;
        super(name, inputs, opts);
        // An export of the object contains its enumerable properties, and the state must not contain this one.
        Object.defineProperty(this, "password", { value: pulumi.secret(password) });
    }

    /** The `postgres://` URL of the endpoint. It contains the argument `password` if it is set. Undefined in the same cases as `host`. Secret. */
    get connectionString(): pulumi.Output<string> {
        return secretUrl(this.host, this.port, this.password);
    }

    /** The `postgres://` URL of the connection pooler, with the same password. Undefined if there is no pooler. Secret. */
    get poolerConnectionString(): pulumi.Output<string | undefined> {
        return secretUrl(this.poolerHost, this.poolerPort, this.password);
    }

    /**
     * Reads an existing read replica set by its id `<serviceId>/<replicaSetId>` (`GET …/services/{id}/replicaSets`). Does not
     * manage it.
     */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ReadReplicaSet {
        return new this(name, {} as ReadReplicaSetArgs, { ...opts, id });
    }
}

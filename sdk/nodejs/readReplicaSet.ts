import type * as pulumi from "@pulumi/pulumi";
import type { ReadReplicaSetInputs, ReadReplicaSetOutputs } from "../../provider/resources/readReplicaSet";
import { resourceClass } from "./resourceClass";
import type { Args, OutputsOf } from "./types";

/** The arguments of a {@link ReadReplicaSet}. */
export interface ReadReplicaSetArgs<Word extends string = never> extends Args<ReadReplicaSetInputs, Word> {}

export interface ReadReplicaSet<Word extends string = string> extends OutputsOf<ReadReplicaSetOutputs, Word> {}

/**
 * A set of read-only copies of a service, behind one endpoint.
 *
 * Creating it waits until the service is running, calls `POST …/services/{id}/replicaSets` and waits until the set is `active`.
 * Size, number of nodes, pooler and environment tag are updated in place (`POST …/replicaSets/{id}/resize`, `enablePooler`,
 * `disablePooler`, `setEnvironment`). A change of `serviceId`, `name` or `projectId` replaces the set. Deleting it calls
 * `DELETE …/replicaSets/{id}` and waits until the set is gone. The resource id is `<serviceId>/<replicaSetId>`.
 *
 * Do not make it a child of its service with the option `parent`: it would inherit Pulumi's `protect` from a protected service.
 */
export class ReadReplicaSet<Word extends string = string> extends resourceClass<object>("ReadReplicaSet") {
    constructor(name: string, args: ReadReplicaSetArgs<Word>, opts: pulumi.CustomResourceOptions = {}) {
        super(name, args, opts);
    }

    /**
     * Reads an existing read replica set by its id `<serviceId>/<replicaSetId>` (`GET …/services/{id}/replicaSets`). Does not
     * manage it.
     */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ReadReplicaSet {
        return new this(name, {} as ReadReplicaSetArgs, { ...opts, id });
    }
}

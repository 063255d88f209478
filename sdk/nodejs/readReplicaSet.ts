import * as pulumi from "@pulumi/pulumi";
import type { ReadReplicaSetInputs, ReadReplicaSetOutputs } from "../../provider/resources/readReplicaSet";
import { login } from "../../provider/resources/database";
import { resourceClass, secretUrl, verificationOf, type VerificationArgs } from "./resourceClass";
import type { Args, OutputsOf } from "./types";

/** The arguments of a {@link ReadReplicaSet}. */
export interface ReadReplicaSetArgs<Word extends string = never> extends Args<ReadReplicaSetInputs, Word> {}

export interface ReadReplicaSet<Word extends string = string> extends OutputsOf<ReadReplicaSetOutputs, Word> {}

/**
 * A set of read-only copies of a service, behind one endpoint.
 *
 * Creating it waits until the service is running, calls `POST …/services/{id}/replicaSets` and waits until the set is `active`.
 * A change of `serviceId`, `name` or `projectId` replaces the set. Each other change is made in place. Deleting it calls
 * `DELETE …/replicaSets/{id}` and waits until the set is gone. The resource id is `<serviceId>/<replicaSetId>`.
 *
 * Do not make it a child of its service with the option `parent`: it would inherit Pulumi's `protect` from a protected service.
 */
export class ReadReplicaSet<Word extends string = string>
    extends resourceClass<object>("ReadReplicaSet")
    implements OutputsOf<ReadReplicaSetOutputs>
{
    declare private readonly password: pulumi.Output<string | undefined>;
    declare private readonly verification: VerificationArgs;

    constructor(name: string, args: ReadReplicaSetArgs<Word>, opts: pulumi.CustomResourceOptions = {}) {
        super(name, args, opts);
        // The argument, because the state of a set that an older version created does not contain it.
        Object.defineProperty(this, "password", { value: pulumi.secret(args.password), enumerable: false });
        Object.defineProperty(this, "verification", { value: verificationOf(args), enumerable: false });
    }

    get username(): pulumi.Output<string> {
        return this.urn.apply(() => login.username);
    }

    get databaseName(): pulumi.Output<string> {
        return this.urn.apply(() => login.databaseName);
    }

    get connectionString(): pulumi.Output<string> {
        return secretUrl(this.host, this.port, this.password, this.verification);
    }

    get poolerConnectionString(): pulumi.Output<string | undefined> {
        return secretUrl(this.poolerHost, this.poolerPort, this.password, this.verification);
    }

    /**
     * Reads an existing read replica set by its id `<serviceId>/<replicaSetId>` (`GET …/services/{id}/replicaSets`). Does not
     * manage it.
     */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ReadReplicaSet {
        return new this(name, {} as ReadReplicaSetArgs, { ...opts, id });
    }
}

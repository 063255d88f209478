import * as pulumi from "@pulumi/pulumi";
import type { ServiceInputs, ServiceOutputs } from "../../provider/resources/service/service";
import { resourceClass, secretUrl, type Args, type OutputsOf } from "./resource";

/** The arguments of a {@link Service}. */
export type ServiceArgs = Args<ServiceInputs>;

export interface Service extends OutputsOf<ServiceOutputs> {}

/**
 * A database service.
 *
 * Creating it calls `POST …/services`, or `POST …/services/{id}/forkService` if `fork` is set, and waits until the
 * status is `READY`. The provider then applies the settings that the create call does not accept. Changes are made in
 * place if the API supports it, one at a time. A change that requires a replacement fails in the preview while the state
 * has `deletionProtection: true`. Deleting it calls `DELETE …/services/{id}` and waits until the service is gone. The
 * resource id is the id of the service.
 */
export class Service extends resourceClass<ServiceArgs>("Service") implements OutputsOf<ServiceOutputs> {
    constructor(name: string, args: ServiceArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
        super(name, args, opts);
    }

    // Derived here as well, because the state of a service that an older version created does not contain these outputs.

    get currentPassword(): pulumi.Output<string | undefined> {
        return pulumi.secret(this.password.apply((declared) => declared ?? this.initialPassword));
    }

    get poolerConnectionString(): pulumi.Output<string | undefined> {
        return secretUrl(this.poolerHost, this.poolerPort, this.currentPassword);
    }

    get vpcConnectionString(): pulumi.Output<string | undefined> {
        return secretUrl(this.vpcHost, this.vpcPort, this.currentPassword);
    }

    /** Reads an existing service by its id (`GET …/services/{id}`). Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Service {
        return new this(name, {}, { ...opts, id });
    }
}

import * as pulumi from "@pulumi/pulumi";
import type { ServiceInputs, ServiceOutputs } from "../../provider/resources/service/service";
import { login } from "../../provider/resources/database";
import { resourceClass, secretUrl, verificationOf, type VerificationArgs } from "./resourceClass";
import type { Args, OutputsOf } from "./types";

/** The arguments of a {@link Service}. */
export interface ServiceArgs extends Args<ServiceInputs> {}

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
    declare private readonly verification: VerificationArgs;
    declare private readonly passwordVersion: ServiceArgs["passwordVersion"];

    constructor(name: string, args: ServiceArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
        super(name, args, opts);
        Object.defineProperty(this, "verification", { value: verificationOf(args), enumerable: false });
        Object.defineProperty(this, "passwordVersion", { value: args.passwordVersion, enumerable: false });
    }

    // Derived here as well, because the state of a service that an older version created does not contain these outputs.

    get username(): pulumi.Output<string> {
        return this.urn.apply(() => login.username);
    }

    get databaseName(): pulumi.Output<string> {
        return this.urn.apply(() => login.databaseName);
    }

    get currentPassword(): pulumi.Output<string | undefined> {
        const inState = this.password.apply((declared) => declared ?? this.initialPassword);
        const none = pulumi.output<string | undefined>(undefined);
        const current = pulumi
            .all([this.urn, this.passwordVersion])
            .apply(([, version]) => (version === undefined ? inState : none));
        return pulumi.secret(current);
    }

    get poolerConnectionString(): pulumi.Output<string | undefined> {
        return secretUrl(this.poolerHost, this.poolerPort, this.currentPassword, this.verification);
    }

    get vpcConnectionString(): pulumi.Output<string | undefined> {
        return secretUrl(this.vpcHost, this.vpcPort, this.currentPassword, this.verification);
    }

    /** Reads an existing service by its id (`GET …/services/{id}`). Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Service {
        return new this(name, {}, { ...opts, id });
    }
}

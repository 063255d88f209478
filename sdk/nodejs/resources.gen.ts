// Generated from provider/resources by `npm run generate`.

import type * as pulumi from "@pulumi/pulumi";
import type { VpcInputs } from "../../provider/resources/vpc";
import type { VpcOutputs } from "../../provider/resources/vpc";
import type { PeeringInputs } from "../../provider/resources/peering";
import type { PeeringOutputs } from "../../provider/resources/peering";
import type { PeeringActivationInputs } from "../../provider/resources/peeringActivation";
import type { PeeringActivationOutputs } from "../../provider/resources/peeringActivation";
import type { ServiceInputs } from "../../provider/resources/service/inputs";
import type { ServiceOutputs } from "../../provider/resources/service/outputs";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import type { ReadReplicaSetOutputs } from "../../provider/resources/readReplicaSet";
import { isOfType } from "./isOfType";
import { resourceClass } from "./resourceClass";
import type { Args, OutputsOf } from "./types";

export type { Size } from "../../provider/base/size";
export type { Fork } from "../../provider/resources/service/inputs";

/** The arguments of a {@link Vpc}. */
export interface VpcArgs extends Args<VpcInputs> {}

export interface Vpc extends OutputsOf<VpcOutputs> {}

/**
 * A virtual network of a project. Services can be attached to it, and it can be peered with VPCs in other cloud
 * accounts.
 *
 * A change of `name` renames it in place. A change of `cidr`, `regionCode` or `projectId` replaces it. The deletion
 * waits until nothing is attached to it or in it, such as a service or a peering. The resource id is the id of the
 * VPC.
 *
 * @see node_modules/pulumi-clouddb/docs/resources/network.md#vpc
 */
export class Vpc extends resourceClass<VpcArgs>("Vpc") {
    /** Reads an existing VPC by its id. Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Vpc {
        return new this(name, {} as VpcArgs, { ...opts, id });
    }

    /** Whether an object is a `Vpc` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is Vpc {
        return isOfType(object, Vpc);
    }
}

/** The arguments of a {@link Peering}. */
export interface PeeringArgs extends Args<PeeringInputs> {}

export interface Peering extends OutputsOf<PeeringOutputs> {}

/**
 * A connection between a VPC and a VPC in an external cloud account.
 *
 * Its creation waits for the state in `waitFor`. A change of `vpcId`, `peerAccountId`, `peerRegionCode`, `peerVpcId`
 * or `projectId` replaces the peering. Without `existingId`, the next update also replaces a peering that has failed,
 * was rejected or has expired, as the state shows. The resource id is `<vpcId>/<peeringId>`.
 *
 * @see node_modules/pulumi-clouddb/docs/resources/network.md#peering
 */
export class Peering extends resourceClass<PeeringArgs>("Peering") {
    /** Reads an existing peering by its id `<vpcId>/<peeringId>`. Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Peering {
        return new this(name, {} as PeeringArgs, { ...opts, id });
    }

    /** Whether an object is a `Peering` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is Peering {
        return isOfType(object, Peering);
    }
}

/** The arguments of a {@link PeeringActivation}. */
export interface PeeringActivationArgs extends Args<PeeringActivationInputs> {}

export interface PeeringActivation extends OutputsOf<PeeringActivationOutputs> {}

/**
 * Waits until a peering that was created with `waitFor: "provisioned"` is active.
 *
 * It allows one program to create a peering, accept it in the peer account, and continue when the peering is active.
 * Add `dependsOn` for the resource that accepts the peering. Every change replaces the activation, that is, it waits
 * again. It creates and deletes nothing in the API.
 *
 * @see node_modules/pulumi-clouddb/docs/resources/network.md#peeringactivation
 */
export class PeeringActivation extends resourceClass<PeeringActivationArgs>("PeeringActivation") {
    /** Whether an object is a `PeeringActivation` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is PeeringActivation {
        return isOfType(object, PeeringActivation);
    }
}

/** The arguments of a {@link Service}. */
export interface ServiceArgs extends Args<ServiceInputs> {}

export interface Service extends OutputsOf<ServiceOutputs> {}

/**
 * A database service.
 *
 * Its creation waits until the status is `READY`, and then applies the settings that the create request does not
 * accept. A change that the API cannot make in place replaces the service, which fails in the preview while the state
 * has `deletionProtection: true`. The deletion waits until the service is gone. The resource id is the id of the
 * service.
 *
 * @see node_modules/pulumi-clouddb/docs/resources/service.md
 */
export class Service extends resourceClass<ServiceArgs>("Service") {
    constructor(name: string, args: ServiceArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
        super(name, args, opts);
    }

    /** Reads an existing service by its id. Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Service {
        return new this(name, {} as ServiceArgs, { ...opts, id });
    }

    /** Whether an object is a `Service` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is Service {
        return isOfType(object, Service);
    }
}

/** The arguments of a {@link ReadReplicaSet}. */
export interface ReadReplicaSetArgs extends Args<ReadReplicaSetInputs> {}

export interface ReadReplicaSet extends OutputsOf<ReadReplicaSetOutputs> {}

/**
 * A set of read-only copies of a service, behind one endpoint.
 *
 * Its creation waits until the service is running, and then until the set is `active`. A change of `serviceId`, `name`
 * or `projectId` replaces the set; others are made in place. The deletion waits until the set is gone. The resource id
 * is `<serviceId>/<replicaSetId>`.
 *
 * Do not make it a child of its service with the option `parent`: it would inherit Pulumi's `protect` from a protected
 * service.
 *
 * @see node_modules/pulumi-clouddb/docs/resources/read-replica-set.md
 */
export class ReadReplicaSet extends resourceClass<ReadReplicaSetArgs>("ReadReplicaSet") {
    /** Reads an existing read replica set by its id `<serviceId>/<replicaSetId>`. Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ReadReplicaSet {
        return new this(name, {} as ReadReplicaSetArgs, { ...opts, id });
    }

    /** Whether an object is a `ReadReplicaSet` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is ReadReplicaSet {
        return isOfType(object, ReadReplicaSet);
    }
}

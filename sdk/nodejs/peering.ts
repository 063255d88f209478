import type * as pulumi from "@pulumi/pulumi";
import type { PeeringInputs, PeeringOutputs } from "../../provider/resources/peering";
import { resourceClass } from "./resource";
import type { Args, OutputsOf } from "./types";

/** The arguments of a {@link Peering}. */
export interface PeeringArgs extends Args<PeeringInputs> {}

export interface Peering extends OutputsOf<PeeringOutputs> {}

/**
 * A connection between a VPC and a VPC in an external cloud account.
 *
 * Creating it calls `POST …/vpcs/{id}/peerings` and waits until the status is `active`, which requires that the peer
 * account accepts the peering. With `waitFor: "provisioned"`, creation waits only until the peer account can accept it. The
 * API cannot update a peering: a change of `vpcId`, `peerAccountId`, `peerRegionCode`, `peerVpcId` or `projectId` replaces it.
 * Deleting it calls `DELETE …/vpcs/{id}/peerings/{id}`. The resource id is `<vpcId>/<peeringId>`.
 */
export class Peering extends resourceClass<PeeringArgs>("Peering") {
    /** Reads an existing peering by its id `<vpcId>/<peeringId>` (`GET …/vpcs/{id}/peerings/{id}`). Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Peering {
        return new this(name, {} as PeeringArgs, { ...opts, id });
    }
}

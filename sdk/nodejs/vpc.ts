import type * as pulumi from "@pulumi/pulumi";
import type { VpcInputs, VpcOutputs } from "../../provider/resources/vpc";
import { resourceClass } from "./resource";
import type { Args, OutputsOf } from "./types";

/** The arguments of a {@link Vpc}. */
export interface VpcArgs extends Args<VpcInputs> {}

export interface Vpc extends OutputsOf<VpcOutputs> {}

/**
 * A virtual network of a project. Services can be attached to it, and it can be peered with VPCs in other cloud accounts.
 *
 * Creating it calls `POST …/vpcs`. A change of `name` renames it in place (`POST …/vpcs/{id}/rename`). A change of `cidr`,
 * `regionCode` or `projectId` replaces it. Deleting it calls `DELETE …/vpcs/{id}` and waits until no service is attached and
 * no peering is left. The resource id is the id of the VPC.
 */
export class Vpc extends resourceClass<VpcArgs>("Vpc") {
    /** Reads an existing VPC by its id (`GET …/vpcs/{id}`). Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Vpc {
        return new this(name, {} as VpcArgs, { ...opts, id });
    }
}

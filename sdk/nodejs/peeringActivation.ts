import * as pulumi from "@pulumi/pulumi";
import type { PeeringActivationInputs } from "../../provider/resources/peeringActivation";
import { nullsToUndefined, registration, typeToken, type Args, type OptionalOutputs } from "./resource";

/** The arguments of a {@link PeeringActivation}. */
export type PeeringActivationArgs = Args<PeeringActivationInputs>;

/**
 * Waits until a peering that was created with `waitFor: "provisioned"` is active.
 *
 * It allows one program to create a peering, accept it in the peer account, and continue when traffic can flow. Add
 * `dependsOn` for the resource that accepts the peering. Creating it polls `GET …/vpcs/{id}/peerings/{id}`. Every change
 * replaces it, that is, it waits again. It creates and deletes nothing in the API.
 */
export class PeeringActivation extends pulumi.CustomResource {
    /** The id of the project that contains the peering. */
    declare readonly projectId: pulumi.Output<string>;
    /** The id of the VPC in this project. */
    declare readonly vpcId: pulumi.Output<string>;
    /** The id of the peering within the VPC. */
    declare readonly peeringId: pulumi.Output<string>;
    /** The status of the peering, as the API reports it. It is `active` after the creation of this resource. */
    declare readonly status: pulumi.Output<string | undefined>;
    /** The id that the peer account accepted, for example `pcx-0a1b2c3d`. */
    declare readonly provisionedId: pulumi.Output<string | undefined>;

    constructor(name: string, args: PeeringActivationArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { props, opts: options } = registration("PeeringActivation", name, args, opts, outputs, []);
        super(typeToken("PeeringActivation"), name, props, options);
        nullsToUndefined(this, optionalOutputs);
    }
}

const outputs = [
    "projectId",
    "vpcId",
    "peeringId",
    "status",
    "provisionedId",
] as const satisfies readonly (keyof PeeringActivation)[];

const optionalOutputs = ["status", "provisionedId"] as const satisfies readonly OptionalOutputs<PeeringActivation>[];

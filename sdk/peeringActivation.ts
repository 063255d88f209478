import * as pulumi from "@pulumi/pulumi";
import type { PeeringActivationInputs } from "../provider/resources/peeringActivation";
import { nullsToUndefined, registration, typeToken, type Args, type OptionalOutputs } from "./resource";

/** The arguments of a {@link PeeringActivation}. */
export type PeeringActivationArgs = Args<PeeringActivationInputs>;

/**
 * Waits until a peering that was made with `waitFor: "provisioned"` is active, so that one program can make it, accept it on
 * the other side, and go on when traffic can flow. Let it depend on what accepts. It makes nothing and deletes nothing.
 */
export class PeeringActivation extends pulumi.CustomResource {
    /** The project that it belongs to. */
    declare readonly projectId: pulumi.Output<string>;
    /** The VPC on our side. */
    declare readonly vpcId: pulumi.Output<string>;
    /** The id of the peering within the VPC. */
    declare readonly peeringId: pulumi.Output<string>;
    /** The status of the peering, `active` once this is done. */
    declare readonly status: pulumi.Output<string | undefined>;
    /** What the other side has accepted. */
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

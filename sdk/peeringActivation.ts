import * as pulumi from "@pulumi/pulumi";
import type { PeeringActivationInputs } from "../provider/resources/peeringActivation";
import { registration, typeToken, type Args } from "./resource";

/** The arguments of a {@link PeeringActivation}. */
export type PeeringActivationArgs = Args<PeeringActivationInputs>;

/**
 * Waits until a peering that was made with `waitFor: "provisioned"` is active, so that one program can make it, accept it on
 * the other side, and go on when traffic can flow. Let it depend on what accepts. It makes nothing and deletes nothing.
 */
export class PeeringActivation extends pulumi.CustomResource {
    /** The status of the peering, `active` once this is done. */
    declare readonly status: pulumi.Output<string | undefined>;
    /** What the other side has accepted. */
    declare readonly provisionedId: pulumi.Output<string | undefined>;

    constructor(name: string, args: PeeringActivationArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { props, opts: options } = registration("PeeringActivation", name, args, opts, outputs, []);
        super(typeToken("PeeringActivation"), name, props, options);
    }
}

const outputs = ["status", "provisionedId"] as const satisfies readonly (keyof PeeringActivation)[];

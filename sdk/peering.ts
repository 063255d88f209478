import * as pulumi from "@pulumi/pulumi";
import type { PeeringInputs } from "../provider/resources/peering";
import { nullsToUndefined, registration, typeToken, type Args, type OptionalOutputs } from "./resource";

/** The arguments of a {@link Peering}. */
export type PeeringArgs = Args<PeeringInputs>;

/**
 * A connection of a VPC to a VPC in an external cloud account.
 *
 * Creating it calls `POST …/vpcs/{id}/peerings` and, unless `waitFor` says otherwise, waits until the other side has
 * accepted and the status is `active`. Its id is `<vpcId>/<peeringId>`. Every change but that of `waitFor` replaces it.
 */
export class Peering extends pulumi.CustomResource {
    /** The project that it belongs to. */
    declare readonly projectId: pulumi.Output<string>;
    /** Whether it refuses to be deleted. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** The VPC on our side. */
    declare readonly vpcId: pulumi.Output<string>;
    /** The cloud account of the other side. */
    declare readonly peerAccountId: pulumi.Output<string>;
    /** The region of the other side. */
    declare readonly peerRegionCode: pulumi.Output<string>;
    /** The VPC of the other side. */
    declare readonly peerVpcId: pulumi.Output<string>;
    /** What its creation waits for, as declared. */
    declare readonly waitFor: pulumi.Output<PeeringInputs["waitFor"]>;
    /** Its status as the service tells it; `active` when it works. */
    declare readonly status: pulumi.Output<string | undefined>;
    /** What the other side has to accept, for example `pcx-0a1b2c3d`. */
    declare readonly provisionedId: pulumi.Output<string | undefined>;
    /** Why it failed, if it did. */
    declare readonly errorMessage: pulumi.Output<string | undefined>;
    /** Its id within the VPC. */
    readonly peeringId: pulumi.Output<string>;

    constructor(name: string, args: PeeringArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { props, opts: options } = registration("Peering", name, args, opts, outputs, []);
        super(typeToken("Peering"), name, props, options);
        nullsToUndefined(this, optionalOutputs);
        this.peeringId = this.id.apply((id) => id.slice(id.indexOf("/") + 1));
    }

    /** Reads an existing peering, by `<vpcId>/<peeringId>`, without managing it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Peering {
        return new Peering(name, {} as PeeringArgs, { ...opts, id });
    }
}

const outputs = [
    "projectId",
    "deletionProtection",
    "vpcId",
    "peerAccountId",
    "peerRegionCode",
    "peerVpcId",
    "waitFor",
    "status",
    "provisionedId",
    "errorMessage",
] as const satisfies readonly (keyof Peering)[];

const optionalOutputs = [
    "waitFor",
    "status",
    "provisionedId",
    "errorMessage",
] as const satisfies readonly OptionalOutputs<Peering>[];

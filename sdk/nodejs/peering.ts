import * as pulumi from "@pulumi/pulumi";
import type { PeeringInputs } from "../../provider/resources/peering";
import { nullsToUndefined, registration, typeToken, type Args, type OptionalOutputs } from "./resource";

/** The arguments of a {@link Peering}. */
export type PeeringArgs = Args<PeeringInputs>;

/**
 * A connection between a VPC and a VPC in an external cloud account.
 *
 * Creating it calls `POST …/vpcs/{id}/peerings` and waits until the status is `active`, which requires that the peer
 * account accepts the peering. With `waitFor: "provisioned"`, creation waits only until the peer account can accept it. The
 * API cannot update a peering: a change of `vpcId`, `peerAccountId`, `peerRegionCode`, `peerVpcId` or `projectId` replaces it.
 * Deleting it calls `DELETE …/vpcs/{id}/peerings/{id}`. The resource id is `<vpcId>/<peeringId>`.
 */
export class Peering extends pulumi.CustomResource {
    /** The id of the project that contains the peering. */
    declare readonly projectId: pulumi.Output<string>;
    /** Whether the provider rejects the deletion of the peering. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** The id of the VPC in this project. */
    declare readonly vpcId: pulumi.Output<string>;
    /** The id of the peer's cloud account. */
    declare readonly peerAccountId: pulumi.Output<string>;
    /** The region of the peer VPC. */
    declare readonly peerRegionCode: pulumi.Output<string>;
    /** The id of the peer VPC. */
    declare readonly peerVpcId: pulumi.Output<string>;
    /** The declared `waitFor`: the state that creation waits for. */
    declare readonly waitFor: pulumi.Output<PeeringInputs["waitFor"]>;
    /** The status, as the API reports it. It is `active` when traffic can flow. */
    declare readonly status: pulumi.Output<string | undefined>;
    /** The id that the peer account has to accept, for example `pcx-0a1b2c3d`. Undefined until the API has provisioned it. */
    declare readonly provisionedId: pulumi.Output<string | undefined>;
    /** The API's message about why the peering failed. Undefined if it has not failed. */
    declare readonly errorMessage: pulumi.Output<string | undefined>;
    /** The id of the peering within the VPC. */
    readonly peeringId: pulumi.Output<string>;

    constructor(name: string, args: PeeringArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { props, opts: options } = registration("Peering", name, args, opts, outputs, []);
        super(typeToken("Peering"), name, props, options);
        nullsToUndefined(this, optionalOutputs);
        this.peeringId = this.id.apply((id) => id.slice(id.indexOf("/") + 1));
    }

    /** Reads an existing peering by its id `<vpcId>/<peeringId>` (`GET …/vpcs/{id}/peerings/{id}`). Does not manage it. */
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

import * as pulumi from "@pulumi/pulumi";
import type { VpcInputs } from "../../provider/resources/vpc";
import { registration, typeToken, type Args } from "./resource";

/** The arguments of a {@link Vpc}. */
export type VpcArgs = Args<VpcInputs>;

/**
 * A virtual network of a project. Services can be attached to it, and it can be peered with VPCs in other cloud accounts.
 *
 * Creating it calls `POST …/vpcs`. A change of `name` renames it in place (`POST …/vpcs/{id}/rename`). A change of `cidr`,
 * `regionCode` or `projectId` replaces it. Deleting it calls `DELETE …/vpcs/{id}` and waits until no service is attached and
 * no peering is left. The resource id is the id of the VPC.
 */
export class Vpc extends pulumi.CustomResource {
    /** The id of the project that contains the VPC. */
    declare readonly projectId: pulumi.Output<string>;
    /** Whether the provider rejects the deletion of the VPC. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** The name, declared or generated. */
    declare readonly name: pulumi.Output<string>;
    /** The IPv4 network in address/prefix notation. */
    declare readonly cidr: pulumi.Output<string>;
    /** The region that hosts the VPC. */
    declare readonly regionCode: pulumi.Output<string>;
    /** The id of the VPC, for the `vpcId` of services and peerings. */
    readonly vpcId: pulumi.Output<string>;

    constructor(name: string, args: VpcArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { props, opts: options } = registration("Vpc", name, args, opts, outputs, []);
        super(typeToken("Vpc"), name, props, options);
        this.vpcId = this.id;
    }

    /** Reads an existing VPC by its id (`GET …/vpcs/{id}`). Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Vpc {
        return new Vpc(name, {} as VpcArgs, { ...opts, id });
    }
}

const outputs = [
    "projectId",
    "deletionProtection",
    "name",
    "cidr",
    "regionCode",
] as const satisfies readonly (keyof Vpc)[];

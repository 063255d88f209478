import * as pulumi from "@pulumi/pulumi";
import type { VpcInputs } from "../provider/resources/vpc";
import { registration, typeToken, type Args } from "./resource";

/** The arguments of a {@link Vpc}. */
export type VpcArgs = Args<VpcInputs>;

/**
 * A virtual network of a project, to which services are attached and which is peered with networks elsewhere.
 *
 * Creating it calls `POST …/vpcs`. Deleting it waits until services and peerings have left.
 */
export class Vpc extends pulumi.CustomResource {
    /** The project that it belongs to. */
    declare readonly projectId: pulumi.Output<string>;
    /** Whether it refuses to be deleted. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** Its name, also where the program gives none. */
    declare readonly name: pulumi.Output<string>;
    /** Its IPv4 network in address/prefix notation. */
    declare readonly cidr: pulumi.Output<string>;
    /** The region that hosts it. */
    declare readonly regionCode: pulumi.Output<string>;
    /** Its id, which services and peerings refer to. */
    readonly vpcId: pulumi.Output<string>;

    constructor(name: string, args: VpcArgs, opts: pulumi.CustomResourceOptions = {}) {
        const { props, opts: options } = registration("Vpc", name, args, opts, outputs, []);
        super(typeToken("Vpc"), name, props, options);
        this.vpcId = this.id;
    }

    /** Reads an existing VPC without managing it. */
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

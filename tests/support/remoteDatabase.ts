import * as pulumi from "@pulumi/pulumi";

/** The component of the plugin, as generated SDKs register it. */
export class RemoteDatabase extends pulumi.ComponentResource {
    declare readonly connectionString: pulumi.Output<string>;
    declare readonly poolerConnectionString: pulumi.Output<string | undefined>;
    declare readonly vpcConnectionString: pulumi.Output<string | undefined>;

    constructor(name: string, args: pulumi.Inputs, opts: pulumi.ComponentResourceOptions = {}) {
        const outputs = {
            connectionString: undefined,
            poolerConnectionString: undefined,
            vpcConnectionString: undefined,
        };
        super("clouddb:index:ProductionDatabase", name, { ...outputs, ...args }, opts, true);
    }
}

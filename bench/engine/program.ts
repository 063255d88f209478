import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { Service } from "../../sdk/nodejs";
import { Service as NativeService } from "../../sdk/nodejs/native";
import { variables } from "./names";

// The program of all runs with the real engine: resources of one kind with the same inputs.

const idlerType = "pulumi-nodejs:dynamic/bench:Idler";
/** The outputs of a service. A resource class must name its outputs, otherwise they are missing. */
const outputs = [
    ...["projectId", "name", "regionCode", "addons", "cpuMillis", "memoryGbs", "replicaCount", "syncReplicaCount"],
    ...["vpcId", "environment", "connectionPooler", "paused", "fork", "deletionProtection", "status", "serviceType"],
    ...["created", "host", "port", "poolerHost", "poolerPort", "vpcHost", "vpcPort", "forkedFrom"],
    ...["password", "initialPassword", "connectionString"],
];

/** Has the properties of a service, and a provider that does nothing. */
class Idler extends pulumi.CustomResource {
    constructor(name: string, args: object) {
        const props = {
            ...Object.fromEntries(outputs.map((output) => [output, undefined])),
            ...args,
            __provider: `exports.handler=()=>require(${JSON.stringify(join(__dirname, "baseline"))}).idler`,
            __urn: createUrn(name, idlerType),
            ...(pulumi.runtime.isDryRun() ? { __preview: true } : {}),
        };
        super(idlerType, name, props, {
            additionalSecretOutputs: ["password", "initialPassword", "connectionString"],
        });
    }
}

/** The same with a plugin that does nothing. */
class EmptyResource extends pulumi.CustomResource {
    constructor(name: string, args: object) {
        const props = { ...Object.fromEntries(outputs.map((output) => [output, undefined])), ...args };
        super("bench:index:Idler", name, props);
    }
}

const args = { regionCode: "us-east-1", cpuMillis: 1000, memoryGbs: 4, environment: "PROD" } as const;

for (let index = 0; index < Number(process.env[variables.count]); index++) {
    const name = `service-${index}`;
    switch (process.env[variables.kind]) {
        case "clouddb":
            new Service(name, args);
            break;
        case "native":
            new NativeService(name, args);
            break;
        case "empty":
            new EmptyResource(name, args);
            break;
        default:
            new Idler(name, args);
    }
}

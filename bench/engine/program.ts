import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { resources } from "../../provider/resources";
import { Service } from "../../sdk/nodejs";
import { Service as NativeService } from "../../sdk/nodejs/native";
import { variables } from "./baseline";

// The program of all runs with the real engine: resources of one kind with the same inputs.

const idlerType = "pulumi-nodejs:dynamic/bench:Idler";
const { fields, outputs } = resources.Service;
/** A resource class must name its outputs, otherwise they are missing. */
const properties = Object.fromEntries(Object.keys({ ...fields, ...outputs }).map((name) => [name, undefined]));
const secrets = ["password", "initialPassword", "connectionString"];

/** Has the properties of a service, and a provider that does nothing. */
class Idler extends pulumi.CustomResource {
    constructor(name: string, inputs: object) {
        const hidden = {
            __provider: `exports.handler=()=>require(${JSON.stringify(join(__dirname, "baseline"))}).idler`,
            __urn: createUrn(name, idlerType),
            ...(pulumi.runtime.isDryRun() ? { __preview: true } : {}),
        };
        super(idlerType, name, { ...properties, ...inputs, ...hidden }, { additionalSecretOutputs: secrets });
    }
}

const classes = { clouddb: Service, native: NativeService, idler: Idler };
const Resource = classes[process.env[variables.kind] as keyof typeof classes];

for (let index = 0; index < Number(process.env[variables.count]); index++) {
    new Resource(`service-${index}`, { regionCode: "us-east-1", cpuMillis: 1000, memoryGbs: 4, environment: "PROD" });
}

import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { resources, resourceTypes } from "../../../provider/resources";
import * as dynamic from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { mockEngine, valueIn, withEndpoint } from "../../support/mocks";

// What a callback or a dynamic provider of the program captures.

/** The value that a serialized function returns in another process. */
async function afterSerialization(func: () => unknown): Promise<unknown> {
    const { text } = await pulumi.runtime.serializeFunction(func, { allowSecrets: true });
    const module = { exports: {} as { handler: () => unknown } };
    const run = runInThisContext(`(exports, require) => {\n${text}\n}`) as (...scope: unknown[]) => void;
    run(module.exports, createRequire(__filename));
    return module.exports.handler();
}

beforeEach(() => mockEngine({ idOf: (name) => `parent/${name}`, stateOf: withEndpoint }));

describe.each([
    ["pulumi-clouddb", dynamic],
    ["pulumi-clouddb/native", native],
])("a function captures %s:", (_, classes) => {
    test.each(resourceTypes)("each output of a %s, and the whole resource", async (type) => {
        const args = untypedKinds[type].inputs(refsTo({ Vpc: "1", Peering: "1/1", Service: "s" }), 0);
        const resource = new classes[type]("it", args as never);
        const outputs = Object.keys(resources[type].outputs);
        const all = resource as unknown as Record<string, pulumi.Output<unknown>>;
        const before: Record<string, unknown> = {};
        const captured: Record<string, unknown> = {};
        for (const name of outputs) {
            before[name] = await valueIn(Reflect.get(resource, name) as pulumi.Output<unknown>);
            // A captured name is a property of the resource for Pulumi, and not a variable.
            captured[name] = await afterSerialization(eval(`() => all.${name}.get()`) as () => unknown);
        }
        expect(captured).toEqual(before);
        const whole = await afterSerialization(() =>
            Object.fromEntries(outputs.map((name) => [name, all[name]?.get()])),
        );
        expect(whole).toEqual(before);
    });

    test("a production database and a replica set of it", async () => {
        const database = new classes.ProductionDatabase("main", { cpuMillis: 500, readReplicas: { reports: {} } });
        const ofSet = () => database.readReplicas.reports?.replicaSetId.get();
        expect(await afterSerialization(ofSet)).toBe("main-reports");
        const whole = () => Object.values(database.readReplicas).map((one) => one.replicaSetId.get());
        expect(await afterSerialization(whole)).toEqual(["main-reports"]);
        expect(await afterSerialization(() => [database].map((one) => one.service.serviceId.get()))).toEqual(["main"]);
    });
});

import { packageName } from "../support/engine";
import { fromText, startProject } from "../support/project";

// Pulumi colours the stack trace of an error that the program does not catch, and Node.js 20 and 22 never finish that for some
// of them: https://github.com/nodejs/node/issues/64011. These need Pulumi's own loader of TypeScript, and no tsconfig.json.

const inApply = (statement: string) => `pulumi.output(1).apply(async () => { await undefined; ${statement} });`;

test.each([
    ["a function without a token", "export const n = clouddb.getServicesOutput().length;", "CLOUDDB_ACCESS_TOKEN"],
    ["a function with an unknown name", 'clouddb.getServiceOutput({ name: "orders-eu" });', 'the name "orders-eu"'],
    ["a function and too many requests", 'clouddb.getVpcsOutput({ projectId: "emulator01" });', "Too many requests"],
    ["a function without arguments", "clouddb.getVpcOutput(pulumi.output(null) as never);", "null"],
    ["a class within apply", inApply('new clouddb.Service("orders");'), "clouddb:projectID"],
    [
        "a component within apply",
        inApply('new clouddb.ProductionDatabase("orders", {} as never);'),
        "clouddb:projectID",
    ],
])("the run of a program that fails ends with the message of the error: %s", async (what, line, message) => {
    const program = `import * as pulumi from "@pulumi/pulumi";\nimport * as clouddb from "${packageName}";\n${line}\n`;
    const project = await startProject(fromText(program, "index.ts"));
    project.emulator.addFaults([{ operation: "listVpcs", times: 100, effect: { kind: "answer", status: 429 } }]);
    project.env({ NODE_OPTIONS: "", ...(what.includes("token") ? { CLOUDDB_ACCESS_TOKEN: "" } : {}) });
    if (message.startsWith("clouddb:")) {
        await project.pulumi("config", "set", message, "emulator01");
    }
    const output = await project.shell("timeout 60 pulumi preview --non-interactive || echo ended with $?");
    expect(output).toContain(message);
    expect(output).toContain("ended with 1\n");
});

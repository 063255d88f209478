import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { commandsOf, linesOf } from "../support/documents";
import { packageName, secretsProvider } from "../support/engine";
import { newFolder } from "../support/folder";
import {
    copyPackages,
    fromFolder,
    fromText,
    openOutside,
    openProject,
    startOutside,
    type TestProject,
} from "../support/project";

const above = newFolder();

const root = join(__dirname, "..", "..");
const runtime = "nodepack";

const program = (args: string) => `
const { Service } = require("${packageName}");
new Service("orders", ${args});
`;

/** Opens a project in which the engine can run policy packs. */
async function openWithPolicies(args: string, protection: "true" | "false"): Promise<TestProject> {
    const project = await openProject(fromText(program(args)));
    await project.pulumi("stack", "init", "test", "--secrets-provider", secretsProvider);
    await project.pulumi("config", "set", "clouddb:deletionProtection", protection);
    addAnalyzer(project, join(root, "node_modules"));
    return project;
}

/** Starts policy packs with the `@pulumi/pulumi` in this folder. */
function addAnalyzer(project: TestProject, modules: string): void {
    const bin = join(project.folder, "bin");
    const runner = join(modules, "@pulumi", "pulumi", "cmd", "run-policy-pack");
    mkdirSync(bin);
    // The engine starts this analyzer, because the Node.js host from the Go modules is too old to run policy packs.
    const analyzer = join(bin, `pulumi-analyzer-policy-${runtime}`);
    writeFileSync(analyzer, `#!/bin/sh\nexec "${process.execPath}" "${runner}" "$@"\n`);
    chmodSync(analyzer, 0o755);
    project.env({ PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` });
}

/** Writes a policy pack into the folder of the project: this source, or by default the example. */
function addPack({ folder }: TestProject, source?: string): void {
    const pack = join(folder, "policy");
    mkdirSync(pack);
    if (source === undefined) {
        cpSync(join(root, "examples", "policy"), pack, { recursive: true });
    } else {
        writeFileSync(join(pack, "index.js"), source);
        writeFileSync(join(pack, "package.json"), '{ "version": "1.0.0", "main": "index.js" }');
    }
    writeFileSync(join(pack, "PulumiPolicy.yaml"), `runtime: ${runtime}\n`);
    symlinkSync(join(root, "node_modules"), join(pack, "node_modules"));
}

test("the example policy pack rejects a service without Pulumi's protect, unless it is declared unprotected or the rule is disabled", async () => {
    // In TypeScript, only a program that sets `protect` itself has a service without it.
    const withoutProtect = (args: string) => `${args}, { protect: false }`;
    const project = await openWithPolicies(withoutProtect("{}"), "true");
    addPack(project);
    const preview = ["preview", "--policy-pack", "policy"];
    expect((await project.failing(...preview)).stdout).toContain("protected-in-previews");
    writeFileSync(join(project.folder, "off.json"), '{ "protected-in-previews": "disabled" }');
    await project.pulumi(...preview, "--policy-pack-config", "off.json");
    project.write(program(withoutProtect("{ deletionProtection: false }")));
    await project.pulumi(...preview);
});

test("the commands of the example policy pack work in a copy outside of the repository, and reject a production database without protection, replicas and an allowed size", async () => {
    const readme = "examples/policy/README.md";
    const outside = await startOutside(above);
    const pack = await openOutside(outside, "policy", fromFolder("examples/policy"));
    expect(commandsOf(readme, "npm")).toEqual(["npm install"]);
    await pack.shell(`${copyPackages()}\nnpm install`);
    writeFileSync(join(pack.folder, "PulumiPolicy.yaml"), `runtime: ${runtime}\n`);
    const unsafe = `{ environment: "PROD", cpuMillis: 8000, deletionProtection: false }`;
    const project = await openOutside(outside, "program", fromText(program(unsafe)));
    await project.shell(`${copyPackages()}\nnpm install pulumi-clouddb\npulumi stack init dev`);
    addAnalyzer(project, join(pack.folder, "node_modules"));

    const printed = await project.shell(`! { ${linesOf(readme)}; }`);

    expect(["deletionProtection", "replicaCount", "cpuMillis"].filter((name) => !printed.includes(name))).toEqual([]);
});

test("a policy reads the declared inputs, the project and the protection, and none of the hidden inputs", async () => {
    const project = await openWithPolicies(`{ name: "orders", password: "a-secret-password" }`, "true");
    addPack(
        project,
        `const { PolicyPack } = require("@pulumi/policy");
        new PolicyPack("reader", { policies: [{
            name: "reader", description: "Reports the inputs.", enforcementLevel: "advisory",
            validateResource: ({ type, props }, report) => {
                if (type.includes("clouddb")) {
                    report(Object.keys(props).filter((name) => props[name] !== undefined).sort().join());
                }
            },
        }] });`,
    );
    const { stdout } = await project.pulumi("preview", "--policy-pack", "policy");
    expect(stdout).toContain("deletionProtection,name,password,projectId");
});

test("a policy that changes inputs keeps secrets if it changes props", async () => {
    const secretName = `require("@pulumi/pulumi").secret("a-secret-name")`;
    const project = await openWithPolicies(`{ name: ${secretName}, password: "a-secret-password" }`, "false");
    addPack(
        project,
        `const { PolicyPack } = require("@pulumi/policy");
        new PolicyPack("sizes", { policies: [{
            name: "size", description: "Sets the size.", enforcementLevel: "remediate",
            remediateResource: ({ type, props }) => {
                if (type.includes("clouddb")) {
                    props.cpuMillis = 1000;
                    return props;
                }
            },
        }] });`,
    );
    await project.pulumi("up", "--yes", "--policy-pack", "policy");
    const state = (await project.pulumi("stack", "export")).stdout;
    expect(state).toMatch(/"cpuMillis": 1000/);
    expect(state).not.toMatch(/a-secret-(name|password)/);
});

test("typed rules run for the resources of their class alone: a service and a production database, not a class of the plugin or one without a type", async () => {
    const project = await openWithPolicies("{}", "true");
    project.write(`${program("{}")}
const { ProductionDatabase, Vpc } = require("${packageName}");
new ProductionDatabase("shop", { cpuMillis: 500 });
new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
`);
    addPack(
        project,
        `const { PolicyPack, validateResourceOfType, validateStackResourcesOfType } = require("@pulumi/policy");
        const clouddb = require("${packageName}");
        const native = require("${packageName}/native");
        const untyped = class {};
        const rule = (name, of, more) => ({ name, description: name, enforcementLevel: "advisory", ...more(of, name) });
        const ofResource = (of, name) => ({
            validateResource: validateResourceOfType(of, (props, { name: of }, report) => report("[" + name + " " + of + "]")),
        });
        const ofStack = (of, name) => ({
            validateStack: validateStackResourcesOfType(of, (found, _, report) => report("[" + name + " " + found.length + "]")),
        });
        new PolicyPack("typed", { policies: [
            rule("service", clouddb.Service, ofResource),
            rule("services", clouddb.Service, ofStack),
            rule("vpc", clouddb.Vpc, ofResource),
            rule("component", clouddb.ProductionDatabase, ofStack),
            rule("native", native.Service, ofResource),
            rule("untyped", untyped, ofResource),
        ] });`,
    );
    const { stdout } = await project.pulumi("preview", "--policy-pack", "policy");
    const found = [...stdout.matchAll(/\[[\w-]+ [\w-]+\]/g)].map(([text]) => text);
    expect([...new Set(found)].sort()).toEqual([
        "[component 1]",
        "[service orders]",
        "[service shop]",
        "[services 2]",
        "[vpc network]",
    ]);
});

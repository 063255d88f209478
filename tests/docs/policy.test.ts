import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { packageName, removeStacks, secretsProvider } from "../support/engine";
import { fromText, openProject, type TestProject } from "../support/project";

afterAll(removeStacks);

const root = join(__dirname, "..", "..");
const runtime = "nodepack";

const program = (args: string) => `
const { Service } = require("${packageName}");
new Service("orders", ${args});
`;

/** Opens a project in which the engine can run policy packs. */
async function openWithPolicies(args: string): Promise<TestProject> {
    const project = await openProject(fromText(program(args)));
    await project.pulumi("stack", "init", "test", "--secrets-provider", secretsProvider);
    const bin = join(project.folder, "bin");
    const runner = join(root, "node_modules", "@pulumi", "pulumi", "cmd", "run-policy-pack");
    mkdirSync(bin);
    // The engine starts this analyzer, because the Node.js host from the Go modules is too old to run policy packs.
    const analyzer = join(bin, `pulumi-analyzer-policy-${runtime}`);
    writeFileSync(analyzer, `#!/bin/sh\nexec "${process.execPath}" "${runner}" "$@"\n`);
    chmodSync(analyzer, 0o755);
    project.env({ PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` });
    return project;
}

/** Writes a policy pack into the folder of the project. */
function addPack({ folder }: TestProject, fill: (pack: string) => void): void {
    const pack = join(folder, "policy");
    mkdirSync(pack);
    fill(pack);
    writeFileSync(join(pack, "PulumiPolicy.yaml"), `runtime: ${runtime}\n`);
    symlinkSync(join(root, "node_modules"), join(pack, "node_modules"));
}

function addExample(project: TestProject): void {
    addPack(project, (pack) => cpSync(join(root, "examples", "policy"), pack, { recursive: true }));
}

test("the example policy pack rejects a production database without protection, replicas and an allowed size", async () => {
    const project = await openWithPolicies(`{ environment: "PROD", cpuMillis: 8000 }`);
    addExample(project);
    const { stdout } = await project.failing("preview", "--policy-pack", "policy");
    expect(stdout).toContain("Set deletionProtection: true.");
    expect(stdout).toContain("Set replicaCount to at least 1.");
    expect(stdout).toContain("cpuMillis 8000 is not allowed. Use one of shared, 500, 1000, 2000, 4000.");
});

test("the example policy pack accepts a protected production database, and a small database without protection", async () => {
    const project = await openWithPolicies(
        `{ environment: "PROD", cpuMillis: 4000, replicaCount: 1, deletionProtection: true }); new Service("trial", {}`,
    );
    addExample(project);
    const { stdout } = await project.pulumi("preview", "--policy-pack", "policy");
    expect(stdout).toContain("+ 3 to create");
    expect(stdout).not.toContain("mandatory");
});

test("a policy reads the declared inputs and the project, secrets in plain text, and none of the hidden inputs", async () => {
    const project = await openWithPolicies(`{ name: "orders", password: "a-secret-password" }`);
    addPack(project, (pack) => {
        writeFileSync(
            join(pack, "index.js"),
            `const { PolicyPack } = require("@pulumi/policy");
            new PolicyPack("reader", { policies: [{
                name: "reader", description: "Reports the inputs.", enforcementLevel: "advisory",
                validateResource: ({ type, props }, report) => {
                    if (type.includes("clouddb")) {
                        report(Object.keys(props).filter((name) => props[name] !== undefined).sort().join() + " " + props.password);
                    }
                },
            }] });`,
        );
        writeFileSync(join(pack, "package.json"), '{ "version": "1.0.0", "main": "index.js" }');
    });
    const { stdout } = await project.pulumi("preview", "--policy-pack", "policy");
    expect(stdout).toContain("name,password,projectId a-secret-password");
});

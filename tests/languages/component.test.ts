import { startFastEmulator } from "../support/engine";
import { pathWith, Project, root } from "./language";

const path = pathWith("yaml");
const test = path === undefined ? it.skip : it;

interface Exported {
    readonly deployment: { readonly resources: readonly { readonly urn: string; readonly protect?: boolean }[] };
}

const head = (runtime: string) => `name: clouddb-typescript
runtime: ${runtime}
plugins:
  providers:
    - { name: clouddb, path: ${root} }
`;

const inYaml = (replicaCount: number) => `${head("yaml")}
resources:
  orders:
    type: clouddb:ProductionDatabase
    properties:
      cpuMillis: 1000
      replicaCount: ${replicaCount}
      readReplicas: { reports: { nodes: 2 } }
outputs:
  url: \${orders.connectionString}
`;

const inTypeScript = `
import { ProductionDatabase } from "pulumi-clouddb/native";

export const url = new ProductionDatabase("orders", {
    cpuMillis: 1000,
    replicaCount: 2,
    readReplicas: { reports: { nodes: 2 } },
}).connectionString;
`;

test("a program with a production database fails with the error of its service, and moves from YAML to TypeScript and back", async () => {
    const emulator = await startFastEmulator();
    const project = await Project.create("tests/languages/typescript", "nodejs", path ?? "", emulator, {
        isProtected: true,
    });

    project.write("Pulumi.yaml", inYaml(7));
    const failure = await project.up().then(
        () => "",
        (error: unknown) => String(error),
    );
    const [, diagnostics = ""] = failure.split("Diagnostics:");
    const problems = [...diagnostics.matchAll(/^ +error: (?!update failed)(.*)$/gm)].map(([, text]) => text);
    // An older Pulumi closes the connection to the plugin before its answer.
    const end = process.env.CLOUDDB_PULUMI === undefined ? "The run ended before " : "";
    expect(problems.sort()).toEqual([
        expect.stringMatching(/^Service "\w+" was not created: 400 .*replica_count must be 0 to 2/),
        expect.stringContaining(`clouddb:index:ProductionDatabase resource 'orders' has a problem: ${end}`),
    ]);

    project.write("Pulumi.yaml", inYaml(2));
    await project.up();
    const { url } = await project.outputs();
    expect(url).toMatch(/^postgres:\/\/tsdbadmin:.+@/);

    const state = await project.pulumi("stack", "export");
    expect(state).not.toContain(new URL(String(url)).password);
    const { deployment } = JSON.parse(state) as Exported;
    const isProtected = deployment.resources.filter(({ protect }) => protect === true);
    expect(isProtected.map(({ urn }) => urn.split("::").at(-1))).toEqual(["orders"]);

    emulator.clearJournal();
    project.write("index.ts", inTypeScript);
    for (const program of [head("nodejs"), inYaml(2)]) {
        project.write("Pulumi.yaml", program);
        await project.pulumi("preview", "--expect-no-changes");
        await project.up({ expectNoChanges: true });
        expect(await project.outputs()).toEqual({ url });
    }
    expect(emulator.journal()).toEqual([]);
});

test("a service in YAML moves into ProductionDatabase with its URN as an alias", async () => {
    const emulator = await startFastEmulator();
    const project = await Project.create("tests/languages/typescript", "nodejs", path ?? "", emulator);
    const orders = (type: string, aliases: string) => `${head("yaml")}
resources:
  orders:
    type: clouddb:${type}
    properties: { cpuMillis: 1000 }
    options: { aliases: ${aliases} }
`;
    project.write("Pulumi.yaml", orders("Service", "[]"));
    await project.up();
    emulator.clearJournal();
    const urn = "urn:pulumi:test::clouddb-typescript::clouddb:index:Service::orders";
    project.write("Pulumi.yaml", orders("ProductionDatabase", `["${urn}"]`));
    await project.up();
    // The defaults of the component.
    const changes = emulator.journal().filter(({ method }) => method !== "GET");
    expect(changes.map(({ operationId }) => operationId).sort()).toEqual(["enablePooler", "setEnvironment", "setHA"]);
});

/** The component as generated SDKs register it: the plugin constructs it, as for a program in YAML. */
const remote = `
class ProductionDatabase extends pulumi.ComponentResource {
    constructor(name: string, args: pulumi.Inputs, opts: pulumi.ComponentResourceOptions) {
        super("clouddb:index:ProductionDatabase", name, args, opts, true);
    }
}`;

test.each([
    ["the class in TypeScript", 'import { ProductionDatabase } from "pulumi-clouddb/native";'],
    ["the component of the plugin", remote],
])("a transform of the size of a service leaves its memory and its replica sets to it: %s", async (_, definition) => {
    const emulator = await startFastEmulator();
    const project = await Project.create("tests/languages/typescript", "nodejs", path ?? "", emulator);
    project.write(
        "index.ts",
        `import * as pulumi from "@pulumi/pulumi";
${definition}
const resize: pulumi.ResourceTransform = ({ type, props, opts }) =>
    type === "clouddb:index:Service" ? { props: { ...props, cpuMillis: 1000 }, opts } : undefined;
new ProductionDatabase("orders", { cpuMillis: 500, readReplicas: { reports: {} } }, { transforms: [resize] });
`,
    );
    expect(await project.pulumi("preview")).toMatch(/create read replica set .*: 1 x 1000m\/4GB/);
    await project.up();
    const [service] = emulator.snapshot().services;
    expect(service).toMatchObject({ resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }] });
    expect(service?.read_replica_sets).toMatchObject([{ cpu_millis: 1000, memory_gbs: 4 }]);
    await project.up({ expectNoChanges: true });
});

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
    expect(failure).toContain("replica_count");
    expect(failure).toContain("clouddb:index:ProductionDatabase");

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

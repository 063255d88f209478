import { startFastEmulator } from "../support/engine";
import { Project, testWith } from "./language";
import { deployed, failureOf, programOf, test, urn } from "./shop";

/** A program with a resource of this type. */
const program = (type: string, properties: string, options = "") =>
    programOf(
        `  orders:
    type: clouddb:${type}
    properties: { cpuMillis: 1000, ${properties} }
    options: { ${options} }
`,
        "outputs:\n  url: ${orders.connectionString}\n",
    );

test("a program with a production database in YAML has one protected service and no password in its state, and fails with the error of its service", async () => {
    const withReplicas = (replicaCount: number) =>
        program("ProductionDatabase", `replicaCount: ${replicaCount}, readReplicas: { reports: { nodes: 2 } }`);
    const { project, up } = await deployed(withReplicas(2));
    const { url } = await project.outputs();
    expect(url).toMatch(/^postgres:\/\/tsdbadmin:.+@/);

    const state = await project.pulumi("stack", "export");
    expect(state).not.toContain(new URL(String(url)).password);
    const { deployment } = JSON.parse(state) as { deployment: { resources: { urn: string; protect?: boolean }[] } };
    const isProtected = deployment.resources.filter(({ protect }) => protect === true);
    expect(isProtected.map((one) => one.urn.split("::").at(-1))).toEqual(["orders"]);

    const failure = await failureOf(up(withReplicas(7)));
    expect(failure).toContain("replica_count");
    expect(failure).toContain("clouddb:index:ProductionDatabase");
});

test("a service in YAML moves into ProductionDatabase with its URN as an alias", async () => {
    const { emulator, up } = await deployed(program("Service", ""));
    emulator.clearJournal();
    await up(program("ProductionDatabase", "", `aliases: ["${urn}"]`));
    // The defaults of the component.
    const changes = emulator.changes();
    expect(changes.map(({ operationId }) => operationId).sort()).toEqual(["enablePooler", "setEnvironment", "setHA"]);
});

testWith("python")(
    "the preview in Python refuses a pause of a production database together with a size that its replicas follow",
    async () => {
        const emulator = await startFastEmulator();
        const programWith = (inputs: string) =>
            `import pulumi_clouddb\npulumi_clouddb.ProductionDatabase("orders", ${inputs}, read_replicas={"reports": {}})\n`;
        const project = await Project.create("python", emulator, { program: programWith("cpu_millis=500") });
        await project.up();
        emulator.clearJournal();
        project.write("__main__.py", programWith("cpu_millis=1000, paused=True"));
        expect(await failureOf(project.pulumi("preview"))).toContain("declare paused: false for this run");
        project.write("__main__.py", programWith("cpu_millis=1000"));
        await project.pulumi("preview");
        expect(emulator.changes()).toEqual([]);
    },
);

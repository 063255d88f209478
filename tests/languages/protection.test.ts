import { startFastEmulator } from "../support/engine";
import { pathWith, Project, root } from "./language";

// docs/languages.md: the rule for deletion holds without Pulumi's `protect` option, which only the classes in TypeScript set.

const path = pathWith("yaml");
const test = path === undefined ? it.skip : it;

/** A program with a service with this property and this option. */
const program = (property = "", option = "") => `name: protection
runtime: yaml
plugins:
  providers:
    - { name: clouddb, path: ${root} }
resources:
  orders:
    type: clouddb:Service
    properties: { cpuMillis: 500, memoryGbs: 2${property} }
    options: { ${option} }
`;

const urn = "urn:pulumi:test::protection::clouddb:index:Service::orders";
const unprotected = ", deletionProtection: false";

/** A stack with a service that has the default protection. */
async function deployed() {
    const emulator = await startFastEmulator();
    const settings = { isProtected: true };
    const project = await Project.create("tests/languages/providers/yaml", "yaml", path ?? "", emulator, settings);
    await project.pulumi("stack", "rm", "--yes", "test");
    project.write("Pulumi.yaml", program());
    await project.pulumi("stack", "init", "test");
    await project.up();
    return { emulator, project };
}

test("a protected service in YAML is kept although the preview passes, with protect: true the preview fails, and without protection it is replaced and deleted", async () => {
    const { emulator, project } = await deployed();
    emulator.clearJournal();

    await expect(project.pulumi("destroy", "--yes")).rejects.toThrow(
        /is not deleted: its entry in the state has deletionProtection: true/,
    );
    project.write("Pulumi.yaml", program("", "protect: true"));
    await project.up();
    await expect(project.pulumi("destroy", "--preview-only")).rejects.toThrow("cannot be deleted");

    project.write("Pulumi.yaml", program(unprotected));
    await project.up();
    const sent = () => emulator.journal().flatMap(({ method, operationId }) => (method === "GET" ? [] : [operationId]));
    expect(sent()).toEqual([]);
    await expect(project.pulumi("up", "--yes", "--replace", urn)).rejects.toThrow(
        /already exists: [^]* docs\/protection.md/,
    );
    expect(sent()).toEqual([]);
    project.write("Pulumi.yaml", program(unprotected, "deleteBeforeReplace: true"));
    await project.pulumi("up", "--yes", "--replace", urn);
    expect(sent()).toEqual(["deleteService", "createService"]);

    await project.pulumi("destroy", "--yes");
    expect(emulator.snapshot().services).toEqual([]);
});

test("--replace of a protected service in YAML is refused before the creation, and the page leads out if a generated name permits a second database", async () => {
    const { emulator, project } = await deployed();
    const ids = () => emulator.snapshot().services.map(({ service_id: id }) => id);
    const [old = ""] = ids();
    const replace = ["up", "--yes", "--replace", urn];
    emulator.clearJournal();
    await expect(project.pulumi(...replace)).rejects.toThrow("already exists: ");
    project.write("Pulumi.yaml", program("", "deleteBeforeReplace: true"));
    await expect(project.pulumi(...replace)).rejects.toThrow("is not deleted: its entry in the state has");
    expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);

    await project.pulumi("config", "set", "--path", "pulumi:autonaming.pattern", "${name}-${hex(4)}");
    project.write("Pulumi.yaml", program());
    await expect(project.pulumi(...replace)).rejects.toThrow("is not deleted: its entry in the state has");
    expect(ids()).toHaveLength(2);
    await expect(project.up()).rejects.toThrow("is not deleted: its entry in the state has");
    // docs/protection.md, "Two databases": the new one stays.
    const exported = JSON.parse(await project.pulumi("stack", "export")) as {
        deployment: { resources: { id?: string }[] };
    };
    const { deployment } = exported;
    deployment.resources = deployment.resources.filter(({ id }) => id !== old);
    project.write("stack.json", JSON.stringify(exported));
    await project.pulumi("stack", "import", "--file", "stack.json");
    await project.pulumi("up", "--yes", "--expect-no-changes");
    expect(ids()).toHaveLength(2);
});

test("after a rename in YAML without an alias, the page leads to the old database", async () => {
    const { emulator, project } = await deployed();
    const renamed = (option: string) =>
        project.write("Pulumi.yaml", program("", option).replace("  orders:", "  main:"));
    renamed("");
    await expect(project.up()).rejects.toThrow("is not deleted: its entry in the state has deletionProtection: true");
    await project.pulumi("state", "delete", "--force", urn.replace(/orders$/, "main"), "--yes");
    renamed(`aliases: ['${urn}']`);
    emulator.clearJournal();
    await project.up();
    expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);
});

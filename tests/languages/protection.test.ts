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
        /is not deleted: its state has deletionProtection: true/,
    );
    project.write("Pulumi.yaml", program("", "protect: true"));
    await project.up();
    await expect(project.pulumi("destroy", "--preview-only")).rejects.toThrow("cannot be deleted");

    project.write("Pulumi.yaml", program(unprotected));
    await project.up();
    const sent = () => emulator.journal().flatMap(({ method, operationId }) => (method === "GET" ? [] : [operationId]));
    expect(sent()).toEqual([]);
    await expect(project.pulumi("up", "--yes", "--replace", urn)).rejects.toThrow(
        /already exists: [^]* set its option deleteBeforeReplace/,
    );
    expect(sent()).toEqual([]);
    project.write("Pulumi.yaml", program(unprotected, "deleteBeforeReplace: true"));
    await project.pulumi("up", "--yes", "--replace", urn);
    expect(sent()).toEqual(["deleteService", "createService"]);

    await project.pulumi("destroy", "--yes");
    expect(emulator.snapshot().services).toEqual([]);
});

test("after a rename in YAML without an alias, the message leads to the old database", async () => {
    const { emulator, project } = await deployed();
    const renamed = (option: string) =>
        project.write("Pulumi.yaml", program("", option).replace("  orders:", "  main:"));
    renamed("");
    const refused = await project.up().catch(String);
    const [, option = ""] =
        /`pulumi state delete --force '[^']+::main'`, set the option (aliases: \['[^']+::orders'\])/.exec(refused) ??
        [];
    expect(option).not.toBe("");
    await project.pulumi("state", "delete", "--force", urn.replace(/orders$/, "main"), "--yes");
    renamed(option);
    emulator.clearJournal();
    await project.up();
    expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);
});

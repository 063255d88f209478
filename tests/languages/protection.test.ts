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
    const settings = { env: { CLOUDDB_DELETION_PROTECTION: "" } };
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

describe("the message about an entry in YAML leads to its deletion", () => {
    const destroyed = async (project: Project) => {
        await expect(project.pulumi("destroy", "--yes")).rejects.toThrow(
            /Delete it: declare it with deletionProtection: false, run `pulumi up`, and repeat the command/,
        );
    };
    const deletedAfterUp = async (project: Project, property = "") => {
        project.write("Pulumi.yaml", program(`${unprotected}${property}`));
        await project.up();
        await project.pulumi("destroy", "--yes");
    };

    test("a tainted one", async () => {
        const { emulator, project } = await deployed();
        await project.pulumi("state", "taint", urn, "--yes");
        await destroyed(project);
        await project.pulumi("state", "untaint", urn, "--yes");
        await deletedAfterUp(project);
        expect(emulator.snapshot().services).toEqual([]);
    });

    test("one of an unfinished creation", async () => {
        const { emulator, project } = await deployed();
        await deletedAfterUp(project);
        emulator.addFaults([{ operation: "enablePooler", effect: { kind: "answer", status: 400 } }]);
        project.write("Pulumi.yaml", program(", connectionPooler: true"));
        await expect(project.up()).rejects.toThrow("enablePooler");
        await destroyed(project);
        await deletedAfterUp(project, ", connectionPooler: true");
        expect(emulator.snapshot().services).toEqual([]);
    });

    test("one that is pending deletion, in a pipeline", async () => {
        const { emulator, project } = await deployed();
        const [old] = emulator.snapshot().services;
        project.write("Pulumi.yaml", program(", name: new"));
        const message = await project.pulumi("up", "--yes", "--replace", urn).catch(String);
        const [, command = ""] = /`(pulumi stack export \| jq [^`]+)`/.exec(message.replace(/\s+/g, " ")) ?? [];
        await project.shell(command);
        await project.up();
        expect(emulator.snapshot().services).toContainEqual(expect.objectContaining({ service_id: old?.service_id }));
        await deletedAfterUp(project, ", name: new");
        expect(emulator.snapshot().services.map(({ service_id: id }) => id)).toEqual([old?.service_id]);
    });
});

test("the fork of a replaced service in YAML is refused in each run of the same program, and then has the data, as the message says", async () => {
    const { emulator, project } = await deployed();
    const write = (regionCode: string, source: string) =>
        project.write(
            "Pulumi.yaml",
            `${program(`${unprotected}, regionCode: ${regionCode}`)}  backup:
    type: clouddb:Service
    properties: { fork: { serviceId: "${source}", strategy: NOW }, deletionProtection: false }
`,
        );
    project.write("Pulumi.yaml", program(unprotected));
    await project.up();
    const old = emulator.snapshot().services[0]?.service_id ?? "";
    write("eu-west-1", "${orders.serviceId}");
    for (let run = 1; run <= 3; run++) {
        await expect(project.up()).rejects.toThrow(`set fork.serviceId of "backup" to "${old}", not to an output`);
    }
    expect(emulator.snapshot().services).toHaveLength(2);
    write("eu-west-1", old);
    await project.up();
    const { services } = emulator.snapshot();
    expect(services).toMatchObject([{ region_code: "eu-west-1" }, { forked_from: { service_id: old } }]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removeStacks, startFastEmulator } from "../support/engine";
import { pathWith, Project, removeProjects, root } from "./language";

const path = pathWith("java");
const test = path === undefined ? it.skip : it;
const source = "src/main/java/shop/App.java";

afterAll(async () => {
    removeProjects();
    await removeStacks();
});

test("a program in Java uses the generated SDK: it creates, shows no change, updates, imports and deletes", async () => {
    const emulator = await startFastEmulator();
    // The compiler of the JVM costs more time than it saves.
    const env = { MAVEN_OPTS: "-XX:TieredStopAtLevel=1" };
    const project = await Project.create("examples/java", "java", path ?? "", emulator, { env });
    await project.pulumi("install");

    await project.up();
    expect(await project.outputs()).toEqual({
        connectionString: expect.stringMatching(/^postgres:\/\/tsdbadmin:.+@/) as string,
        hostInNetwork: expect.any(String) as string,
        reportsUrl: expect.stringMatching(/^postgres:\/\/tsdbadmin:.+@/) as string,
    });
    await project.pulumi("preview", "--expect-no-changes");

    const program = readFileSync(join(root, "examples", "java", source), "utf8");
    project.write(source, program.replace(".nodes(2)", ".nodes(1)"));
    emulator.clearJournal();
    await project.up();
    const changes = emulator.journal().filter(({ method }) => method !== "GET");
    expect(changes.map(({ operationId }) => operationId)).toEqual(["resizeReplicaSet"]);

    const [service] = emulator.snapshot().services;
    const id = service?.service_id ?? "";
    const imported = await project.pulumi("import", "clouddb:index:Service", "copy", id, "--yes", "--protect=false");
    expect(imported).toContain('new Service("copy", ServiceArgs.builder()');

    await project.pulumi("state", "delete", "--yes", urnOf("copy"));
    await project.pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.snapshot().services).toEqual([]);
});

const urnOf = (name: string): string => `urn:pulumi:test::clouddb-java::clouddb:index:Service::${name}`;

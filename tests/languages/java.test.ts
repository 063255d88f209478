import { readFileSync } from "node:fs";
import { join } from "node:path";
import { secretsProvider, startFastEmulator } from "../support/engine";
import { outputsOfExamples, pathWith, Project, root } from "./language";

const path = pathWith("java");
const test = path === undefined ? it.skip : it;
const source = "src/main/java/shop/App.java";

test("a program in Java uses the generated SDK: it creates, shows no change, updates, imports and deletes", async () => {
    const emulator = await startFastEmulator();
    // The compiler of the JVM costs more time than it saves.
    const env = { MAVEN_OPTS: "-XX:TieredStopAtLevel=1" };
    const project = await Project.create("examples/java", "java", path ?? "", emulator, { env });
    await project.pulumi("install");

    await project.up();
    expect(await project.outputs()).toEqual(outputsOfExamples);
    await project.pulumi("preview", "--expect-no-changes");

    const program = readFileSync(join(root, "examples", "java", source), "utf8");
    project.write(source, program.replace(".nodes(2)", ".nodes(1)"));
    emulator.clearJournal();
    await project.up();
    const changes = emulator.changes();
    expect(changes.map(({ operationId }) => operationId)).toEqual(["resizeReplicaSet"]);

    const [service] = emulator.snapshot().services;
    await project.pulumi("stack", "init", "imported", "--secrets-provider", secretsProvider);
    await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
    const given = ["clouddb:index:Service", "copy", service?.service_id ?? "", "--yes", "--protect=false"];
    await project.pulumi("import", ...given, "--out", source);
    project.write(source, project.read(source).replace("package generated_program;", "package shop;"));
    await project.pulumi("preview", "--expect-no-changes");
    await project.pulumi("stack", "select", "test");

    await project.pulumi("destroy", "--yes", "--skip-preview");
    expect(emulator.snapshot().services).toEqual([]);
});

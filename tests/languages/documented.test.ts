import type { Emulator } from "../../emulator";
import { blocksOf, pages, read, shellBlocksOf } from "../support/documents";
import { startFastEmulator } from "../support/engine";
import { Project, root, testWith, type Language } from "./language";
import { failureOf } from "./shop";

// The programs of the pages in YAML; in Python, a limit of the storage, the restore drill, a resize, an adoption, and a deletion on purpose with an archive.
// typeCheckers.test.ts checks all programs in Python.

const plugin = `plugins:\n  providers:\n    - { name: clouddb, path: ${root} }\n`;
const settings: Readonly<Record<string, string>> = {
    cpuMillis: "500",
    replicaCount: "0",
    passwordVersion: "1",
    analyticsToken: "emulator-token",
};
const env = { ORDERS_PASSWORD: "a password of prod" };

/** A project with this program and all settings. */
async function open(language: Language, program: string, emulator: Emulator) {
    const project = await Project.create(language, emulator, { program, env, isProtected: true });
    if (language === "yaml") {
        // The stack of another project.
        await project.pulumi("stack", "init", "prod");
    }
    const set = (key: string, value: string) =>
        project.pulumi("config", "set", key, value, key.endsWith("Token") ? "--secret" : "--plaintext");
    for (const [key, value] of Object.entries(settings)) {
        await set(key, value);
    }
    return { project, set };
}

const inYaml = pages
    .filter((page) => page.startsWith("docs/") || page === "examples/night-pause/README.md")
    .flatMap((page) => blocksOf(page, ["yaml"]))
    .filter(({ text }) => /^(resources|variables):$/m.test(text))
    .map((block) => ({ ...block, name: `${block.page}:${block.line}` }));

testWith("yaml").each(inYaml)("the program $name in YAML has a preview", async ({ text }) => {
    const emulator = await startFastEmulator();
    const { id } = await emulator.createService();
    const head = /^name: /m.test(text) ? "" : "name: documented\nruntime: yaml\n";
    const { project, set } = await open("yaml", `${head}${text.replace("wn3nlzt505", id)}\n${plugin}`, emulator);
    await set("restoreFrom", id);
    await set("archiveOf", id);
    await set("restoreTo", "2026-01-31T12:00:00Z");
    expect(await project.pulumi("preview")).toMatch(/create/);
});

testWith("python")("the program of docs/production.md in Python fails if a database stores too much", async () => {
    const [program = ""] = blocksOf("docs/production.md#disk-usage", ["python"]).map(({ text }) => text);
    const emulator = await startFastEmulator();
    const { id } = await emulator.createService({ name: "orders" });
    const { project, set } = await open("python", program, emulator);
    await set("storageLimitMb", "1000");
    await project.pulumi("preview");
    await set("storageLimitMb", "10");
    const failed = await failureOf(project.pulumi("preview"));
    expect(failed).toMatch(new RegExp(`More than 10 MB of storage:\\n +orders \\(${id}\\): \\d\\d MB`));
});

testWith("python")(
    "the program of docs/restore.md in Python copies, switches and returns with the documented commands",
    async () => {
        const [program = ""] = blocksOf("docs/restore.md#the-program", ["python"]).map(({ text }) => text);
        const emulator = await startFastEmulator();
        const { project, set } = await open("python", program, emulator);
        await project.up();
        const { serviceId } = await project.outputs();
        const [check = "", switchOver = ""] = shellBlocksOf("docs/restore.md");
        const run = (lines: string) =>
            project.shell(
                `export PULUMI_SKIP_CONFIRMATIONS=true\n${lines
                    .replace("pulumi stack select prod", "true")
                    .replace("2026-01-31T12:00:00Z", new Date().toISOString())}`,
            );
        await run(check);
        const [, copy] = emulator.snapshot().services;
        expect(copy).toMatchObject({ forked_from: { service_id: serviceId } });
        expect(await project.outputs()).toMatchObject({ serviceId });
        emulator.clearJournal();
        await run(switchOver);
        expect(await project.outputs()).toMatchObject({ serviceId: copy?.service_id });
        await set("restore", "check");
        await project.up();
        expect(await project.outputs()).toMatchObject({ serviceId });
        expect(emulator.changes()).toEqual([]);
    },
);

/** The programs in Python of a section. */
const inPython = (section: string) => blocksOf(section, ["python"]).map(({ text }) => text);

testWith("python")(
    "the program of docs/changes.md in Python adopts a database, and its preview shows the steps",
    async () => {
        const [program = ""] = inPython("docs/changes.md#adopt-or-import");
        const emulator = await startFastEmulator();
        const { id } = await emulator.createService({ name: "by hand", cpu_millis: "4000", memory_gbs: "16" });
        const { project } = await open("python", program.replace("wn3nlzt505", id), emulator);
        await project.pulumi("config", "set", "--secret", "password", "the one in force");
        emulator.clearJournal();

        expect(await project.pulumi("preview")).toContain(`adopt service "${id}"`);
        await project.up();

        expect(emulator.changes().map(({ operationId }) => operationId)).toEqual(["updatePassword"]);
        expect(emulator.snapshot().services).toMatchObject([
            { service_id: id, resources: [{ spec: { cpu_millis: 4000 } }] },
        ]);
        await project.up({ expectNoChanges: true });
    },
);

testWith("python")(
    "the commands of docs/changes.md add an HA replica to the program in Python, and then resize the database",
    async () => {
        const [program = ""] = inPython("docs/production.md#stacks");
        const commands = [
            ...read("docs/changes.md#resize-a-database").matchAll(/`(pulumi config set [^`]+ --stack prod)`/g),
        ];
        expect(commands).toHaveLength(2);
        const emulator = await startFastEmulator();
        const { project } = await open("python", program, emulator);
        await project.up();
        emulator.clearJournal();
        const plans: string[] = [];
        for (const [, command = ""] of commands) {
            await project.shell(command.replace("--stack prod", "--stack test"));
            plans.push(await project.pulumi("preview"));
            await project.up();
        }
        expect(plans).toEqual([
            expect.stringContaining("1 HA replicas none -> 1 async, done in minutes"),
            expect.stringContaining("1 resize 500m/2GB -> 4000m/16GB, restarts the service, done in minutes"),
        ]);
        expect(emulator.changes().map(({ operationId }) => operationId)).toEqual(["setHA", "resizeService"]);
        await project.up({ expectNoChanges: true });
    },
);

testWith("python")(
    "the programs of docs/deletion.md in Python delete a database on purpose, keep an archive, and return from it",
    async () => {
        const [program = ""] = inPython("docs/production.md#stacks");
        const [archive = "", restoreArchive = ""] = inPython("docs/deletion.md");
        const emulator = await startFastEmulator();
        const services = () => emulator.snapshot().services;
        const { project } = await open("python", program, emulator);
        await project.up();
        const [orders] = services();
        const [nameArchive = ""] = shellBlocksOf("docs/deletion.md");
        await project.shell(nameArchive.replaceAll("--stack prod", "--stack test"));

        project.write("archive.py", archive);
        const unprotected = program.replace("ssl_mode=", "deletion_protection=False,\n    ssl_mode=");
        project.write("__main__.py", `${unprotected}\nimport archive  # noqa: F401\n`);
        await project.up();
        expect(services()).toMatchObject([
            { service_id: orders?.service_id },
            { status: "PAUSED", forked_from: { service_id: orders?.service_id } },
        ]);
        const [, archived] = services();
        project.write("__main__.py", "import archive  # noqa: F401\n");
        await project.up();
        expect(services()).toMatchObject([{ service_id: archived?.service_id }]);
        await project.pulumi("destroy", "--yes", "--skip-preview");
        expect(services()).toMatchObject([{ service_id: archived?.service_id }]);

        const id = archived?.service_id ?? "";
        project.write(
            "__main__.py",
            restoreArchive.replace("paused=False,", `paused=False,\n    existing_id="${id}",`),
        );
        await project.up();
        expect(services()).toMatchObject([
            { service_id: id, status: "READY" },
            { forked_from: { service_id: id }, status: "READY" },
        ]);
    },
);

import type { Emulator } from "../../emulator";
import { blocksOf, pages, shellBlocksOf } from "../support/documents";
import { startFastEmulator } from "../support/engine";
import { Project, root, testWith, type Language } from "./language";

// The programs of the pages in YAML, and the restore drill of docs/restore.md in Python. typeCheckers.test.ts checks all
// programs in Python.

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
    .filter((page) => page.startsWith("docs/"))
    .flatMap((page) => blocksOf(page, ["yaml"]))
    .filter(({ text }) => /^(resources|variables):$/m.test(text))
    .map((block) => ({ ...block, name: `${block.page}:${block.line}` }));

testWith("yaml").each(inYaml)("the program $name in YAML has a preview", async ({ text }) => {
    const emulator = await startFastEmulator();
    const { id } = await emulator.createService();
    const head = /^name: /m.test(text) ? "" : "name: documented\nruntime: yaml\n";
    const { project, set } = await open("yaml", `${head}${text.replace("wn3nlzt505", id)}\n${plugin}`, emulator);
    await set("restoreFrom", id);
    await set("restoreTo", "2026-01-31T12:00:00Z");
    expect(await project.pulumi("preview")).toMatch(/create/);
});

testWith("python")(
    "the program of docs/restore.md in Python copies, switches and returns with the documented commands",
    async () => {
        const [program = ""] = blocksOf("docs/restore.md", ["python"]).map(({ text }) => text);
        const emulator = await startFastEmulator();
        const { project, set } = await open("python", program, emulator);
        await project.up();
        const { serviceId } = await project.outputs();
        const [, , , , , check = "", switchOver = ""] = shellBlocksOf("docs/restore.md");
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

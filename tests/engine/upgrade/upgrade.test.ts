import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { host, packageName, projectFileFor, workDir } from "../../support/engine";
import { openProject, type TestProject } from "../../support/project";

// What only the engine shows: what it finds changed in a state that an older version has written. record.mjs stored the states of
// two stacks and of the emulator on each host, for each number of a state: one that is complete, and one of interrupted resources.
// tests/native/migration.test.ts changes the host.
const recorded = readdirSync(__dirname).filter((name) => /^state-\d+-/.test(name) && name.endsWith(`-${host}`));

interface Recorded {
    readonly deployment: {
        readonly resources: { urn: string; id?: string; protect?: boolean; outputs?: { connectionPooler?: unknown } }[];
    };
}

/** A project with the recorded stack of a program, which has no protection of Pulumi's own. */
async function open(path: string, file: string) {
    const from = join(__dirname, path);
    const stateFile = join(workDir(), "world.json");
    copyFileSync(join(from, "world.json"), stateFile);
    const { deployment } = JSON.parse(readFileSync(join(from, "stack.json"), "utf8")) as Recorded;
    deployment.resources.forEach((one) => delete one.protect);
    const entryOf = (name: string) => deployment.resources.find(({ urn }) => urn.endsWith(`Service::${name}`));
    // As if the version that wrote the state had not known this input.
    delete entryOf("small")?.outputs?.connectionPooler;
    const checkpoint = { stack: "organization/upgrade/test", latest: deployment };
    const project = await openProject(
        (folder) => {
            writeFileSync(join(folder, "Pulumi.yaml"), projectFileFor("upgrade"));
            writeFileSync(join(folder, "package.json"), '{ "private": true, "main": "program.js" }\n');
            const program = readFileSync(join(__dirname, file), "utf8");
            writeFileSync(join(folder, "program.js"), program.replace('"pulumi-clouddb"', `"${packageName}"`));
            copyFileSync(join(from, "Pulumi.test.yaml"), join(folder, "Pulumi.test.yaml"));
            const backend = join(folder, "..", "state", ".pulumi");
            mkdirSync(join(backend, "stacks", "upgrade"), { recursive: true });
            writeFileSync(join(backend, "meta.yaml"), "version: 1\n");
            writeFileSync(join(backend, "stacks", "upgrade", "test.json"), JSON.stringify({ version: 3, checkpoint }));
        },
        { stateFile },
    );
    project.env({ PULUMI_STACK: "test" });
    return { ...project, entryOf };
}

/** The password of the connection string among the outputs of a project. */
const passwordIn = async ({ outputs }: TestProject): Promise<string> =>
    decodeURIComponent(new URL(String((await outputs()).connectionString)).password);

const noChange = (journal: readonly { readonly method: string }[]) => journal.every(({ method }) => method === "GET");

test.each(recorded)(
    "the stack of %s does not change, with and without a refresh, and its services are protected",
    async (release) => {
        const project = await open(release, "program.js");
        const { emulator, pulumi, failing, entryOf } = project;
        const { urn = "", id } = entryOf("small") ?? {};
        const refused = await failing("destroy", "--yes", "--skip-preview", "--target", urn);
        expect(refused.stdout).toContain(`(${id ?? ""})`);

        // Somebody has enabled it by hand.
        emulator.updateService(id ?? "", { pooler: true });
        await pulumi("preview", "--expect-no-changes");
        const before = await project.outputs();
        await pulumi("up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes");
        expect(await project.outputs()).toEqual(before);
        expect(noChange(emulator.journal())).toBe(true);
        const orders = emulator.snapshot().services.find(({ name }) => name === "orders");
        expect(emulator.passwordMatches(orders?.service_id ?? "", await passwordIn(project))).toBe(true);
    },
);

test.each(recorded)(
    "the services that the last run of %s did not complete are completed, whatever was interrupted",
    async (release) => {
        const project = await open(join(release, "interrupted"), "interrupted.js");
        const { emulator, env, pulumi } = project;
        const adopted = emulator.snapshot().services.find(({ name }) => name === "by-hand")?.service_id ?? "";
        env({ ADOPTED: adopted });
        // Pulumi prints the lines of a preview with --diff there.
        const { stderr: plan } = await pulumi("preview", "--diff");
        expect(plan).toContain("an earlier run did not complete this resource");
        await pulumi("up", "--yes", "--skip-preview");
        const { services } = emulator.snapshot();
        expect(services.map(({ status }) => status)).toEqual(["READY", "READY", "READY", "READY"]);
        expect(services.filter(({ connection_pooler: pooler }) => pooler !== undefined)).toHaveLength(3);
        await pulumi("preview", "--refresh", "--expect-no-changes");
        const unseen = services.find(({ name }) => name.startsWith("unseen"));
        expect(emulator.passwordMatches(unseen?.service_id ?? "", await passwordIn(project))).toBe(true);
    },
);

test("the state of a later version, or one without its records, is refused, and nothing is sent", async () => {
    const { folder, emulator, pulumi, failing } = await open(recorded.at(-1) ?? "", "program.js");
    const file = join(folder, "stack.json");
    const { stdout: exported } = await pulumi("stack", "export", "--show-secrets");
    const { 1: number = "" } = /\\"version\\":(\d+)/.exec(exported) ?? [];
    const importWith = async (text: string) => {
        expect(text).not.toBe(exported);
        writeFileSync(file, text);
        await pulumi("stack", "import", "--file", file);
    };
    await importWith(exported.replaceAll(`\\"version\\":${number}`, `\\"version\\":${Number(number) + 1}`));
    const later = `has number ${Number(number) + 1}, and this version of the package reads numbers up to ${number}`;
    expect((await failing("preview")).stdout).toContain(later);
    await importWith(exported.replaceAll('"__record"', '"__other"'));
    for (const command of ["preview", "refresh"]) {
        expect((await failing(command, ...(command === "refresh" ? ["--yes"] : []))).stdout).toContain(
            "has lost its record: import it again",
        );
    }
    expect(noChange(emulator.journal())).toBe(true);
});

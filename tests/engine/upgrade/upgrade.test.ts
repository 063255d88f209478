import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { host, packageName, projectFileFor, workDir } from "../../support/engine";
import { openProject, type TestProject } from "../../support/project";

// What only the engine shows: what it finds changed in a state that an older version has written.
// For each version or commit, and host, record.mjs stored the states of a stack and of the emulator: of the first version, and
// of the last commit whose state had several hidden values instead of one record, there also of interrupted resources.
// tests/native/migration.test.ts changes the host.
const recorded = readdirSync(__dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => name.endsWith(`-${host}`));

interface Recorded {
    readonly deployment: { readonly resources: { urn: string; id?: string; protect?: boolean; outputs?: object }[] };
}

/** A project with the recorded stack of a program, which has no protection of Pulumi's own. */
async function open(path: string, file: string) {
    const from = join(__dirname, path);
    const stateFile = join(workDir(), "world.json");
    copyFileSync(join(from, "world.json"), stateFile);
    const { deployment } = JSON.parse(readFileSync(join(from, "stack.json"), "utf8")) as Recorded;
    deployment.resources.forEach((one) => delete one.protect);
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
    const entryOf = (name: string) => deployment.resources.find(({ urn }) => urn.endsWith(`Service::${name}`));
    return { ...project, entryOf };
}

/** The password of the connection string among the outputs of a project. */
const passwordIn = async ({ outputs }: TestProject): Promise<string> =>
    decodeURIComponent(new URL(String((await outputs()).connectionString)).password);

test.each(recorded.map(({ name }) => name))(
    "a stack that the package of %s created does not change, with and without a refresh, and its services are protected",
    async (release) => {
        const project = await open(release, "program.js");
        const { folder, emulator, pulumi, failing, entryOf } = project;
        const { urn = "", id } = entryOf("small") ?? {};
        const refused = await failing("destroy", "--yes", "--skip-preview", "--target", urn);
        expect(refused.stdout).toContain(`(${id ?? ""})`);

        const derivedIn = async (...run: string[]) => {
            const file = join(folder, "derived.jsonl");
            rmSync(file, { force: true });
            await pulumi(...run, "--expect-no-changes");
            const lines = readFileSync(file, "utf8").trim().split("\n");
            return Object.assign({}, ...lines.map((line) => JSON.parse(line) as object)) as Record<string, string>;
        };
        // Programs know outputs that the recorded state does not contain, already in the first preview.
        const derived = await derivedIn("preview");
        const { currentPassword = "", poolerConnectionString = "", vpcConnectionString = "" } = derived;
        const urls = [poolerConnectionString, vpcConnectionString].map((url) => new URL(url));
        const passwords = [currentPassword, ...urls.map(({ password }) => password)];
        expect(new Set(passwords)).toEqual(new Set(["the-password-of-the-orders"]));
        // A refresh records that the state has no declared password, and with it what follows from the initial one.
        const refreshed = await derivedIn("up", "--yes", "--skip-preview", "--refresh");
        expect(refreshed).toEqual({ ...derived, replicaConnectionString: expect.stringContaining("@") as string });
        expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);

        const orders = emulator.snapshot().services.find(({ name }) => name === "orders");
        expect(emulator.passwordMatches(orders?.service_id ?? "", await passwordIn(project))).toBe(true);

        // What only older versions recorded is gone once the state is written: the names of secrets, and a copy of one.
        const state = readFileSync(join(folder, "..", "state", ".pulumi", "stacks", "upgrade", "test.json"), "utf8");
        const { checkpoint } = JSON.parse(state) as { checkpoint: { latest: Recorded["deployment"] } };
        const names = checkpoint.latest.resources.flatMap(({ outputs = {} }) => Object.keys(outputs));
        const hidden = new Set(names.filter((name) => name.startsWith("__")));
        expect([...hidden].sort()).toEqual(["__provider", "__record"]);
        expect(state).not.toContain("upgrade-net");
    },
);

test("services that the last run of an older package did not complete are completed, whatever was interrupted", async () => {
    const project = await open(join(`e4a9740d-${host}`, "interrupted"), "interrupted.js");
    const { emulator, env, pulumi } = project;
    const adopted = emulator.snapshot().services.find(({ name }) => name === "by-hand")?.service_id ?? "";
    env({ ADOPTED: adopted });
    await pulumi("up", "--yes", "--skip-preview");
    const { services } = emulator.snapshot();
    expect(services.map(({ status }) => status)).toEqual(["READY", "READY", "READY", "READY"]);
    expect(services.filter(({ connection_pooler: pooler }) => pooler !== undefined)).toHaveLength(3);
    await pulumi("preview", "--refresh", "--expect-no-changes");
    const unseen = services.find(({ name }) => name.startsWith("unseen"));
    expect(emulator.passwordMatches(unseen?.service_id ?? "", await passwordIn(project))).toBe(true);
});

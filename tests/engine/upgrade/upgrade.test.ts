import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { host, packageName, projectFileFor, workDir } from "../../support/engine";
import { openProject } from "../../support/project";

// What only the engine shows: what it finds changed in a state that an older version has written.
// For each version or commit, and host, record.mjs stored the states of a stack and of the emulator: of the first version, and
// of the last commit whose state had several hidden values instead of one record, there also of interrupted resources.
// tests/native/migration.test.ts changes the host.
const recorded = readdirSync(__dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => name.endsWith(`-${host}`));

/** A project with the recorded stack of a program. */
async function open(path: string, file: string) {
    const from = join(__dirname, path);
    const stateFile = join(workDir(), "world.json");
    copyFileSync(join(from, "world.json"), stateFile);
    const project = await openProject(
        (folder) => {
            writeFileSync(join(folder, "Pulumi.yaml"), projectFileFor("upgrade"));
            writeFileSync(join(folder, "package.json"), '{ "private": true, "main": "program.js" }\n');
            const program = readFileSync(join(__dirname, file), "utf8");
            writeFileSync(join(folder, "program.js"), program.replace('"pulumi-clouddb"', `"${packageName}"`));
            copyFileSync(join(from, "Pulumi.test.yaml"), join(folder, "Pulumi.test.yaml"));
            copyFileSync(join(from, "stack.json"), join(folder, "stack.json"));
        },
        { stateFile },
    );
    await project.pulumi("stack", "init", "test", "--secrets-provider", "passphrase");
    await project.pulumi("stack", "import", "--file", join(project.folder, "stack.json"));
    return project;
}

test.each(recorded.map(({ name }) => name))(
    "a stack that the package of %s created does not change, with and without a refresh, and its services are protected",
    async (release) => {
        const { folder: projectFolder, emulator, pulumi, failing, outputs } = await open(release, "program.js");
        const recordedStack = readFileSync(join(projectFolder, "stack.json"), "utf8");
        const [small = ""] = /urn:[^"]+Service::small/.exec(recordedStack) ?? [];
        // Pulumi's own protection comes first.
        await pulumi("state", "unprotect", small, "--yes");
        const destroyed = await failing("destroy", "--yes", "--skip-preview", "--target", small);
        expect(destroyed.stdout).toContain("is not deleted: its entry in the state has deletionProtection: true");

        const derivedIn = async (...run: string[]) => {
            const file = join(projectFolder, "derived.jsonl");
            rmSync(file, { force: true });
            await pulumi(...run, "--expect-no-changes");
            const lines = readFileSync(file, "utf8").trim().split("\n");
            return Object.assign({}, ...lines.map((line) => JSON.parse(line) as object)) as Record<string, string>;
        };
        // Programs know outputs that the recorded state does not contain, already in the first preview.
        const declared = "the-password-of-the-orders";
        const derived = await derivedIn("preview");
        expect(derived).toMatchObject({
            currentPassword: declared,
            poolerConnectionString: expect.stringContaining(`:${declared}@`) as string,
            vpcConnectionString: expect.stringContaining(`:${declared}@`) as string,
        });
        // A refresh records that the state has no declared password, and with it what follows from the initial one.
        const refreshed = await derivedIn("preview", "--refresh");
        expect(refreshed).toEqual({ ...derived, replicaConnectionString: expect.stringContaining("@") as string });
        const { stdout } = await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
        expect(stdout).toMatch(/Resources:\n +\d+ unchanged\n/);
        expect(stdout).not.toContain("warning");
        expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);

        const known = readFileSync(join(projectFolder, "derived.jsonl"), "utf8");
        expect(known).toMatch(/"replicaConnectionString":"postgres:\/\/tsdbadmin:.+@/);

        const orders = emulator.snapshot().services.find(({ name }) => name === "orders");
        const { connectionString } = await outputs();
        const [, password = ""] = /:([^:@]+)@/.exec(String(connectionString)) ?? [];
        expect(emulator.passwordMatches(orders?.service_id ?? "", password)).toBe(true);

        // What only older versions recorded is gone once the state is written: the names of secrets, and a copy of one.
        await pulumi("refresh", "--yes", "--expect-no-changes");
        const { stdout: state } = await pulumi("stack", "export");
        const { deployment } = JSON.parse(state) as { deployment: { resources: { outputs?: object }[] } };
        const names = deployment.resources.flatMap(({ outputs = {} }) => Object.keys(outputs));
        const hidden = new Set(names.filter((name) => name.startsWith("__")));
        expect([...hidden].sort()).toEqual(["__provider", "__record"]);
        expect(state).not.toContain("upgrade-net");
    },
);

test("services that the last run of an older package did not complete are completed, whatever was interrupted", async () => {
    const { emulator, env, pulumi, outputs } = await open(join(`e4a9740d-${host}`, "interrupted"), "interrupted.js");
    const adopted = emulator.snapshot().services.find(({ name }) => name === "by-hand")?.service_id ?? "";
    env({ ADOPTED: adopted });
    await pulumi("state", "unprotect", "--all", "--yes");
    const { stdout } = await pulumi("up", "--yes", "--skip-preview");
    expect(stdout).toMatch(/Resources:\n +~ 4 updated\n/);
    const { services } = emulator.snapshot();
    expect(services).toHaveLength(4);
    expect(services.every(({ status }) => status === "READY")).toBe(true);
    const withPooler = services.filter(({ connection_pooler: pooler }) => pooler !== undefined);
    expect(withPooler).toHaveLength(3);
    await pulumi("preview", "--refresh", "--expect-no-changes");
    const unseen = services.find(({ name }) => name.startsWith("unseen"));
    const { connectionString } = await outputs();
    const { password } = new URL(String(connectionString));
    expect(emulator.passwordMatches(unseen?.service_id ?? "", password)).toBe(true);
});

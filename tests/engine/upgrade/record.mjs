/**
 * `node tests/engine/upgrade/record.mjs`: builds this clone, and creates the stacks of program.js and interrupted.js on each host
 * with it. Stores the states of the stacks and of their emulators in state-NUMBER-HOST, next to this file, and the schema of the
 * plugin without its texts in schema.json. Once a version with this number is published, its states stay as they are.
 */
import assert from "node:assert";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { ensureEngine, pathWithEngine } from "../../../scripts/engine/setup.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..", "..", "..");
await promisify(execFile)("npm", ["run", "build"], { cwd: root });
const { startEmulator } = await import("../../../dist/emulator/index.js");
const { latestOf, migrations } = createRequire(import.meta.url)("../../../dist/.build/provider/hosts/migrations.js");
const engine = pathWithEngine(await ensureEngine());

/** The content of Pulumi.yaml and the name of the package on each host. */
const hosts = {
    dynamic: { settings: {}, packageName: "pulumi-clouddb" },
    native: {
        settings: { plugins: { providers: [{ name: "clouddb", path: root }] } },
        packageName: "pulumi-clouddb/native",
    },
};

/** The paths of the machine that records, which no provider reads. */
const withoutPlaces = (key, value) => (/^(sourcePosition|stackTrace)$/.test(key) ? undefined : value);

/** Records the stack that `work` makes of a program. */
async function record({ settings, packageName }, file, recorded, work) {
    const project = mkdtempSync(join(tmpdir(), "clouddb-upgrade-"));
    const stateFile = join(project, "world.json");
    const emulator = await startEmulator({ speed: 1_000, stateFile });
    try {
        mkdirSync(join(project, "state"));
        mkdirSync(join(project, "node_modules"));
        symlinkSync(root, join(project, "node_modules", "pulumi-clouddb"));
        symlinkSync(join(root, "node_modules", "@pulumi"), join(project, "node_modules", "@pulumi"));
        const yaml = JSON.stringify({ name: "upgrade", runtime: "nodejs", ...settings });
        writeFileSync(join(project, "Pulumi.yaml"), yaml);
        writeFileSync(join(project, "package.json"), '{ "private": true, "main": "program.js" }\n');
        const program = readFileSync(join(here, file), "utf8").replace('"pulumi-clouddb"', `"${packageName}"`);
        const write = (/** @type {string} */ text) => writeFileSync(join(project, "program.js"), text);
        const env = {
            ...process.env,
            PATH: engine,
            PULUMI_HOME: join(project, "home"),
            PULUMI_BACKEND_URL: pathToFileURL(join(project, "state")).href,
            PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
            PULUMI_SKIP_UPDATE_CHECK: "true",
            ...emulator.env,
        };
        const pulumiWith = async (/** @type {object} */ variables, /** @type {string[]} */ ...args) => {
            const options = { cwd: project, env: { ...env, ...variables } };
            return (await promisify(execFile)("pulumi", [...args, "--non-interactive"], options)).stdout;
        };
        await pulumiWith({}, "stack", "init", "test", "--secrets-provider", "passphrase");
        await work({ program, write, emulator, pulumiWith });
        const state = JSON.parse(await pulumiWith({}, "stack", "export"));
        await emulator.close();
        mkdirSync(recorded, { recursive: true });
        writeFileSync(join(recorded, "stack.json"), `${JSON.stringify(state, withoutPlaces, 4)}\n`);
        copyFileSync(join(project, "Pulumi.test.yaml"), join(recorded, "Pulumi.test.yaml"));
        copyFileSync(stateFile, join(recorded, "world.json"));
    } finally {
        await emulator.close();
        rmSync(project, { recursive: true, force: true });
    }
}

async function complete({ program, write, pulumiWith }) {
    // A resource that was renamed can have more in its state.
    write(program.replace('Service("small"', 'Service("former"'));
    await pulumiWith({}, "up", "--yes", "--skip-preview");
    write(program);
    await pulumiWith({}, "up", "--yes", "--skip-preview");
    await pulumiWith({}, "preview", "--expect-no-changes");
}

async function interrupted({ program, write, emulator, pulumiWith }) {
    write(program);
    await pulumiWith({ RUN: "first" }, "up", "--yes", "--skip-preview");
    const { id: adopted } = await emulator.createService({ name: "by-hand" });
    const fail = async (/** @type {string} */ RUN, /** @type {string[]} */ faults, /** @type {string[]} */ ...args) => {
        emulator.addFaults(faults);
        const options = ["--yes", "--skip-preview", "--continue-on-error", ...args];
        await assert.rejects(pulumiWith({ RUN, ADOPTED: adopted }, "up", ...options));
        emulator.clearFaults();
    };
    await fail("second", ["enablePooler#1+:400"]);
    await fail("last", ["getService#1+:503", "listServices#3+:503"], "--target", "**::unseen");
}

for (const [host, settings] of Object.entries(hosts)) {
    const recorded = join(here, `state-${latestOf(migrations)}-${host}`);
    await record(settings, "program.js", recorded, complete);
    await record(settings, "interrupted.js", join(recorded, "interrupted"), interrupted);
}

const schema = JSON.parse(readFileSync(join(root, "provider", "hosts", "native", "schema.gen.json"), "utf8"));
const withoutTexts = (key, value) => (key === "description" && typeof value === "string" ? undefined : value);
writeFileSync(join(here, "schema.json"), `${JSON.stringify(schema, withoutTexts)}\n`);

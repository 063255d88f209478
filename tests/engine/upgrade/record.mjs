/**
 * `node tests/engine/upgrade/record.mjs FOLDER VERSION`: creates the stacks of program.js and interrupted.js on each host with
 * the package built in FOLDER, a clone at the release or at another commit. Stores the states of the stacks and of their
 * emulators in VERSION-HOST, next to this file, and for a release also the schema of the plugin without its texts.
 */
import assert from "node:assert";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ensureEngine, pathWithEngine } from "../../../scripts/engine/setup.mjs";
import { startEmulator } from "../../../dist/emulator/index.js";

const here = dirname(fileURLToPath(import.meta.url));
const [, , folder = "", version = ""] = process.argv;
const older = resolve(folder);
const engine = pathWithEngine(await ensureEngine());

/** The content of Pulumi.yaml and the name of the package on each host. */
const hosts = {
    dynamic: { settings: {}, packageName: "pulumi-clouddb" },
    native: {
        settings: { plugins: { providers: [{ name: "clouddb", path: older }] } },
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
        symlinkSync(older, join(project, "node_modules", "pulumi-clouddb"));
        symlinkSync(join(older, "node_modules", "@pulumi"), join(project, "node_modules", "@pulumi"));
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
    const recorded = join(here, `${version}-${host}`);
    await record(settings, "program.js", recorded, complete);
    await record(settings, "interrupted.js", join(recorded, "interrupted"), interrupted);
}
if (/^\d+\.\d+\.\d+$/.test(version)) {
    recordSchema();
}

function recordSchema() {
    const schema = JSON.parse(readFileSync(join(older, "provider", "hosts", "native", "schema.gen.json"), "utf8"));
    const withoutTexts = (key, value) => (key === "description" && typeof value === "string" ? undefined : value);
    writeFileSync(join(here, `${version}-native`, "schema.json"), `${JSON.stringify(schema, withoutTexts, 1)}\n`);
}

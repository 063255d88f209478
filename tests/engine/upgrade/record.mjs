/**
 * `node tests/engine/upgrade/record.mjs FOLDER NAME`: creates the stack of program.js with the package built in FOLDER,
 * a clone at an older commit. Stores the states of the stack and of the emulator in NAME, next to this file.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ensureEngine, pathWithEngine } from "../../../scripts/engine/setup.mjs";
import { startEmulator } from "../../../dist/emulator/index.js";

const here = dirname(fileURLToPath(import.meta.url));
const [, , older = "", name = ""] = process.argv;
const recorded = join(here, name);
const project = mkdtempSync(join(tmpdir(), "clouddb-upgrade-"));
const stateFile = join(project, "world.json");
const emulator = await startEmulator({ speed: 1_000, stateFile });
try {
    mkdirSync(join(project, "state"));
    mkdirSync(join(project, "node_modules"));
    symlinkSync(resolve(older), join(project, "node_modules", "pulumi-clouddb"));
    symlinkSync(join(resolve(older), "node_modules", "@pulumi"), join(project, "node_modules", "@pulumi"));
    writeFileSync(join(project, "Pulumi.yaml"), "name: upgrade\nruntime: nodejs\n");
    writeFileSync(join(project, "package.json"), '{ "private": true, "main": "program.js" }\n');
    copyFileSync(join(here, "program.js"), join(project, "program.js"));
    const env = {
        ...process.env,
        PATH: pathWithEngine(await ensureEngine()),
        PULUMI_HOME: join(project, "home"),
        PULUMI_BACKEND_URL: pathToFileURL(join(project, "state")).href,
        PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        CLOUDDB_BASE_URL: emulator.url,
        CLOUDDB_PROJECT_ID: emulator.projectId,
        CLOUDDB_ACCESS_TOKEN: emulator.token,
    };
    const pulumi = async (/** @type {string[]} */ ...args) =>
        (await promisify(execFile)("pulumi", [...args, "--non-interactive"], { cwd: project, env })).stdout;
    await pulumi("stack", "init", "test", "--secrets-provider", "passphrase");
    await pulumi("up", "--yes", "--skip-preview");
    await pulumi("preview", "--expect-no-changes");
    const state = await pulumi("stack", "export");
    await emulator.close();
    mkdirSync(recorded, { recursive: true });
    writeFileSync(join(recorded, "stack.json"), state);
    copyFileSync(join(project, "Pulumi.test.yaml"), join(recorded, "Pulumi.test.yaml"));
    copyFileSync(stateFile, join(recorded, "world.json"));
} finally {
    await emulator.close();
    rmSync(project, { recursive: true, force: true });
}

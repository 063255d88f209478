/** What becomes of one cell: a fresh project with the packed package, made, left alone and destroyed. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { startEmulator } from "./emulator.mjs";
import { writeProject } from "./project.mjs";
import { plainEnvironment, run } from "./run.mjs";
import { managerCommand, nodeFolder } from "./tools.mjs";

/**
 * @typedef {object} Materials
 * @property {string} folder - for everything that the cell needs
 * @property {string} tools
 * @property {string} tarball
 * @property {import("./tarball.mjs").Tarball} higher - the same package under a higher version
 * @property {Record<"oldest" | "newest", string>} pulumi
 * @property {string} enginePath - PATH with the engine
 * @property {AbortSignal} signal
 */

/** @typedef {{ step: string, ms: number }} Step */

/**
 * @param {import("./cells.mjs").Cell} cell
 * @param {Materials} materials
 * @param {(step: Step) => void} onStep
 * @returns {Promise<{ pulumi: string, node: string }>} the versions that it ran with
 */
export async function tryCell(cell, materials, onStep) {
    const { folder, signal } = materials;
    const where = { folder: materials.tools, signal };
    const timed = async (step, work) => {
        const begin = Date.now();
        await work();
        onStep({ step, ms: Date.now() - begin });
    };
    const node = await nodeFolder(cell.node, where);
    const manager = await managerCommand(cell, where);
    const env = environment(cell, materials, [node, ...(manager[0] === "npm" ? [] : [dirname(manager[0])])]);
    const project = join(folder, "project");
    const command = (...words) => run(words, { cwd: project, env, signal });
    const pulumi = (...args) => command("pulumi", ...args, "--non-interactive");
    const install = (tarball) => {
        writeProject(project, cell, { tarball, pulumi: materials.pulumi[cell.pulumi] });
        return command(...manager, "install");
    };

    const versionOf = (name) =>
        JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8")).version;

    await timed("install", () => install(materials.tarball));
    const emulator = await startEmulator(project, env);
    Object.assign(env, emulator.settings);
    const expectChanges = async (wanted, when) => {
        const changes = (await emulator.changes()).join(" ");
        if (changes !== wanted) throw new Error(`${when} the emulator was asked for "${changes}", not for "${wanted}"`);
    };
    try {
        await pulumi("stack", "init", "test", "--secrets-provider", "passphrase");
        await timed("up", () => pulumi("up", "--yes", "--skip-preview"));
        const made = "createVpc createService attachServiceToVpc";
        const actual = (await emulator.changes()).join(" ");
        if ((await emulator.things()) !== 2) throw new Error(`up made something else: ${actual || made}`);
        await timed("again", () => pulumi("up", "--yes", "--expect-no-changes"));
        await expectChanges(actual, "In a run without changes");
        if (cell.upgrade) {
            await timed("upgrade", async () => {
                await install(materials.higher.file);
                const version = versionOf("pulumi-clouddb");
                if (version !== materials.higher.version) throw new Error(`${version} is installed after the upgrade`);
                await pulumi("preview", "--expect-no-changes");
                await pulumi("up", "--yes", "--expect-no-changes");
            });
            await expectChanges(actual, "After the upgrade");
        }
        await timed("destroy", () => pulumi("destroy", "--yes", "--skip-preview"));
        if ((await emulator.things()) !== 0) throw new Error("destroy left something behind");
        return { pulumi: versionOf("@pulumi/pulumi"), node: (await command("node", "--version")).trim().slice(1) };
    } finally {
        await emulator.close();
    }
}

/**
 * @param {import("./cells.mjs").Cell} cell
 * @param {Materials} materials
 * @param {readonly string[]} first - folders for the beginning of PATH
 * @returns {NodeJS.ProcessEnv}
 */
function environment({ settings }, { folder, enginePath }, first) {
    const state = join(folder, "state");
    mkdirSync(state, { recursive: true });
    return {
        ...plainEnvironment(),
        PATH: [...first, enginePath].join(delimiter),
        PULUMI_HOME: join(folder, "home"),
        PULUMI_BACKEND_URL: pathToFileURL(state).href,
        PULUMI_CONFIG_PASSPHRASE: "a passphrase of the matrix",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        NO_PROXY: "127.0.0.1,localhost",
        no_proxy: "127.0.0.1,localhost",
        // Their caches take a tarball by its name, which says nothing of what is in it.
        YARN_CACHE_FOLDER: join(folder, "yarn-cache"),
        YARN_NODE_LINKER: "node-modules",
        YARN_ENABLE_TELEMETRY: "0",
        YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
        ...settings,
    };
}

/**
 * `npm run pictures`: the pictures of the README, made from real runs of the quickstart's program: Pulumi in a terminal against
 * an emulator.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { bootstrap } from "./bootstrap.mjs";
import { main, ROOT, say, ScriptError } from "./lib/repository.mjs";
import { drawTerminal } from "./pictures/svg.mjs";
import { COLUMNS, openTerminal, textOf } from "./pictures/terminal.mjs";

const PICTURES = join(ROOT, "docs", "pictures");
/** Below the root, where a program finds the package by its name. */
const FOLDER = join(ROOT, ".quickstart", "pictures");
const STACK = "production";
/** Makes the same ids each time. */
const SEED = 7;
/** The peering is still being provided while the service is configured: what is said of it later is longer than a picture is wide. */
const DURATIONS = { peeringProvision: 6_000 };

/** The words in the rows of `up` that are worth a picture: some are done, some are waited for. */
const IN_THE_MIDDLE = /CONFIGURING/;

await main(async () => {
    await bootstrap();
    const path = pathWithEngine(await ensureEngine());
    const { startEmulator } = createRequire(join(ROOT, "package.json"))("./dist/emulator/index.js");
    rmSync(FOLDER, { recursive: true, force: true });
    const project = join(FOLDER, "shop");
    mkdirSync(join(FOLDER, "state"), { recursive: true });
    const program = join(project, "index.ts");
    cpSync(join(ROOT, "examples", "quickstart"), project, { recursive: true });
    writeFileSync(join(project, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    mkdirSync(PICTURES, { recursive: true });

    const emulator = await startEmulator({ seed: SEED, durations: DURATIONS });
    const terminal = openTerminal({
        cwd: project,
        env: {
            PATH: path,
            HOME: FOLDER,
            PULUMI_HOME: join(FOLDER, "home"),
            PULUMI_BACKEND_URL: pathToFileURL(join(FOLDER, "state")).href,
            PULUMI_CONFIG_PASSPHRASE: "pictures",
            PULUMI_STACK: STACK,
            PULUMI_SKIP_UPDATE_CHECK: "true",
            PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
            CLOUDDB_BASE_URL: emulator.url,
            CLOUDDB_PROJECT_ID: emulator.projectId,
            CLOUDDB_ACCESS_TOKEN: emulator.token,
            NO_PROXY: "127.0.0.1",
        },
    });
    try {
        await terminal.run(`pulumi stack init ${STACK} --secrets-provider passphrase`).end();
        say("pictures", "up");
        const up = terminal.run("pulumi up --yes --skip-preview");
        save("up-running", await up.when((screen) => IN_THE_MIDDLE.test(textOf(screen)) && fits(screen)));
        await up.end();
        writeFileSync(program, changed(readFileSync(program, "utf8")));
        say("pictures", "preview");
        save("preview", await terminal.run("pulumi preview").end());
    } finally {
        await emulator.close();
        rmSync(FOLDER, { recursive: true, force: true });
    }
});

/** @param {string} name @param {import("./pictures/terminal.mjs").Screen} screen */
function save(name, screen) {
    if (!fits(screen)) throw new ScriptError(`In the picture ${name} a row does not fit:\n${textOf(screen)}`);
    writeFileSync(join(PICTURES, `${name}.svg`), drawTerminal(screen));
}

/** Pulumi cuts what is longer than a row, and leaves one column free. @param {import("./pictures/terminal.mjs").Screen} screen */
function fits(screen) {
    return textOf(screen)
        .split("\n")
        .every((line) => line.length < COLUMNS - 1);
}

/**
 * The program with a larger service that has one more standby.
 *
 * @param {string} text
 */
function changed(text) {
    const next = text
        .replace("const cpuMillis = 1000", "const cpuMillis = 2000")
        .replace("replicaCount: 1", "replicaCount: 2");
    if (next === text) throw new Error("The quickstart is not what it was; there is nothing to change.");
    return next;
}

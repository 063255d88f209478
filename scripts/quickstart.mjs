/**
 * `npm run quickstart [-- COMMAND]`: examples/quickstart with the real engine against an emulator on this computer. Installs,
 * builds and starts what it needs. What the commands are: `npm run quickstart -- --help`.
 */
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { takeLock } from "../engine/lock.mjs";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { bootstrap } from "./bootstrap.mjs";
import { builtFrom } from "./lib/compile.mjs";
import { main, ROOT, say, ScriptError } from "./lib/repository.mjs";
import { HELP, parseArguments } from "./quickstart/arguments.mjs";
import { findEmulator, journalOf, startEmulator, stopEmulator, worldOf } from "./quickstart/emulator.mjs";
import { ensureSecrets, folderOf, makeFolder, removeFolder } from "./quickstart/folder.mjs";
import { ensureStack, pulumiEnvironment, runPulumi } from "./quickstart/pulumi.mjs";
import { countRequests, describeWorld, journalTable, wrap } from "./quickstart/text.mjs";

const folder = folderOf(ROOT);
/** Of text that we fold ourselves. */
const LINE_LENGTH = 90;
/** No link to a page that a local stack does not have, no lines of dots where there is no terminal. */
const DISPLAY = ["--suppress-permalink=true", "--suppress-progress"];
const PROGRAM = "examples/quickstart/index.ts";

/** @typedef {(rest: string[]) => Promise<number | void>} Run */

/** @type {Record<import("./quickstart/arguments.mjs").Command, Run>} */
const commands = { up, preview, refresh, destroy, reset, journal, pulumi, help: async () => print([HELP]) };

/** @type {Run} */
async function up(rest) {
    const { emulator, env } = await prepare();
    const before = (await journalOf(folder, emulator)).length;
    const code = await runPulumi("up", ["--yes", ...DISPLAY, ...rest], { root: ROOT, env });
    if (code !== 0) return code;
    const [world, entries] = [await worldOf(folder, emulator), await journalOf(folder, emulator)];
    print([
        "",
        "In the emulator now:",
        ...indent(describeWorld(world)),
        "",
        "Requests of this run:",
        ...indent(wrap(countRequests(entries.slice(before)), LINE_LENGTH)),
        "",
        "Next:",
        ...indent([
            `change something: set another cpuMillis in ${PROGRAM}, then npm run quickstart`,
            "see the requests: npm run quickstart -- journal",
            "see the password: npm run quickstart -- pulumi stack output connectionString --show-secrets",
            "delete it all:    npm run quickstart -- destroy",
        ]),
        "",
        `The emulator listens on ${emulator.url} (process ${emulator.pid}) until then.`,
    ]);
}

/** @type {Run} */
async function preview(rest) {
    // Needs no emulator and no token, and shows it by doing without.
    const { env } = await prepare({ withEmulator: false });
    return runPulumi("preview", [...DISPLAY, ...rest], { root: ROOT, env });
}

/** @type {Run} */
async function refresh(rest) {
    const { env } = await prepare();
    return runPulumi("refresh", ["--yes", ...DISPLAY, ...rest], { root: ROOT, env });
}

/** @type {Run} */
async function destroy(rest) {
    if (!existsSync(folder.stack)) {
        const stopped = await stopEmulator(folder, ROOT);
        return print([`There is nothing to destroy.${stopped ? " The emulator is stopped." : ""}`]);
    }
    const { emulator, env } = await prepare();
    const code = await runPulumi("destroy", ["--yes", "--remove", ...DISPLAY, ...rest], {
        root: ROOT,
        env,
    });
    if (code !== 0) return code;
    const left = describeWorld(await worldOf(folder, emulator));
    // Not all of it was to go, or not all of it was made by the program.
    if (left.length > 0) return print(["", "Still in the emulator, which keeps running:", ...indent(left)]);
    await stopEmulator(folder, ROOT);
    print(["", "The emulator is empty, and stopped."]);
}

/** @type {Run} */
async function reset() {
    if (!existsSync(folder.path)) return print(["There is nothing to forget."]);
    const stopped = await stopEmulator(folder, ROOT);
    removeFolder(folder);
    print([`${stopped ? "The emulator is stopped, and " : ""}${relative(ROOT, folder.path)} is removed.`]);
}

/** @type {Run} */
async function journal(rest) {
    const emulator = await findEmulator(folder);
    if (!emulator) throw new ScriptError("The emulator does not run; npm run quickstart starts it.");
    const width = process.stdout.isTTY ? process.stdout.columns : undefined;
    const table = journalTable(await journalOf(folder, emulator), {
        all: rest.includes("--all"),
        ...(width && { width }),
    });
    print(table.length > 0 ? table : ["No request yet."]);
}

/** @type {Run} */
async function pulumi([command, ...rest]) {
    if (command === undefined) throw new ScriptError("Which command of Pulumi? Such as: pulumi stack output", 2);
    const { env } = await prepare();
    return runPulumi(command, rest, { root: ROOT, env });
}

/**
 * Gets everything that a command needs; done already, it takes a fraction of a second and says nothing.
 *
 * @param {{ withEmulator?: boolean }} [options]
 */
async function prepare({ withEmulator = true } = {}) {
    await bootstrap();
    const path = pathWithEngine(await ensureEngine());
    makeFolder(folder);
    const release = await takeLock(folder.lock, {
        signal: new AbortController().signal,
        onWait: ({ pid }) => say("wait", `for process ${pid}, which is starting the quickstart`),
    });
    try {
        const secrets = ensureSecrets(folder);
        const emulator = withEmulator ? await ensureEmulator(secrets.token) : undefined;
        const env = pulumiEnvironment(folder, { path, secrets, ...(emulator && { emulator }) });
        await ensureStack(folder, { root: ROOT, env });
        return { emulator, env };
    } finally {
        release();
    }
}

/**
 * The emulator that runs, if it is of this build, else a new one over the same world.
 *
 * @param {string} token
 */
async function ensureEmulator(token) {
    const build = builtFrom(ROOT);
    const running = await findEmulator(folder);
    if (running && running.build === build) return running;
    // One that does not answer, or that we have lost the address of, would keep the world to itself.
    const stopped = await stopEmulator(folder, ROOT);
    const why = running ? ", anew because it was built anew" : ", anew because it did not answer";
    const emulator = await startEmulator(folder, { root: ROOT, token, build });
    say("emulator", `on ${emulator.url}${stopped ? why : ""}`);
    return emulator;
}

/** @param {readonly string[]} lines */
function print(lines) {
    process.stdout.write(`${lines.join("\n")}\n`);
}

/** @param {readonly string[]} lines */
const indent = (lines) => lines.map((line) => `  ${line}`);

await main(() => {
    const { command, rest } = parseArguments(process.argv.slice(2));
    return commands[command](rest);
});

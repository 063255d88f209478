/**
 * `npm run test:packaging [-- --only NAME]`: the packed package in fresh projects outside of the repository, with the package
 * managers, languages and versions of package.json. Answers 1 when one fails.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { bootstrap } from "./bootstrap.mjs";
import { main, ROOT, say, ScriptError } from "./lib/repository.mjs";
import { cells } from "./packaging/cells.mjs";
import { tryReadme } from "./packaging/readme.mjs";
import { drawTable } from "./packaging/table.mjs";
import { checksOf, pack, packHigher } from "./packaging/tarball.mjs";
import { tryCell } from "./packaging/trial.mjs";

const CHECKS = "package";
const README = "readme";
const HELP = `npm run test:packaging [-- OPTIONS]

  --only NAME  only this cell; may be given several times: ${CHECKS}, ${README}, ${cells.map(({ name }) => name).join(", ")}
  --keep       keep the folder with the projects
  --help       show this
`;

await main(async () => {
    const { only, keep, help } = parse();
    if (help) return void process.stdout.write(HELP);
    const wanted = (/** @type {string} */ name) => !only || only.includes(name);

    await bootstrap();
    const engine = await ensureEngine();
    const stop = new AbortController();
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
        process.once(signal, () => stop.abort(new ScriptError(`Stopped by ${signal}.`)));
    }
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "clouddb-packaging-")));
    try {
        const tarball = await pack(ROOT, join(folder, "package"), stop.signal);
        const higher = await packHigher(tarball, join(folder, "higher"), stop.signal);
        say("pack", `${tarball.file}, ${tarball.files.length} files`);
        const shared = { tarball: tarball.file, enginePath: pathWithEngine(engine), signal: stop.signal };
        const checks = wanted(CHECKS) ? checksOf(tarball, stop.signal) : [];
        if (wanted(README)) {
            checks.push({ name: README, check: () => tryReadme({ ...shared, folder: join(folder, README) }) });
        }
        const rows = [];
        for (const { name, check } of checks) rows.push(await checkRow(name, check, stop.signal));
        for (const cell of cells.filter(({ name }) => wanted(name))) {
            rows.push(
                await cellRow(cell, {
                    ...shared,
                    folder: join(folder, cell.name),
                    tools: join(folder, "tools"),
                    higher,
                    pulumi: pulumiVersions(),
                }),
            );
        }
        process.stdout.write(drawTable(rows));
        return rows.every(({ failure }) => failure === undefined) ? 0 : 1;
    } finally {
        if (keep) say("kept", folder);
        else rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
});

function parse() {
    const options = /** @type {const} */ ({
        only: { type: "string", multiple: true },
        keep: { type: "boolean" },
        help: { type: "boolean" },
    });
    let values;
    try {
        ({ values } = parseArgs({ options }));
    } catch (error) {
        throw new ScriptError(`${/** @type {Error} */ (error).message}\n\n${HELP}`, 2);
    }
    const unknown = values.only?.find(
        (name) => ![CHECKS, README].includes(name) && !cells.some((cell) => cell.name === name),
    );
    if (unknown !== undefined) throw new ScriptError(`There is no cell ${unknown}.\n\n${HELP}`, 2);
    return values;
}

/** The oldest that we say we support, and the newest of that major version. */
function pulumiVersions() {
    const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const range = peerDependencies["@pulumi/pulumi"];
    return { oldest: range.replace(/^\^/, ""), newest: range };
}

/**
 * @param {string} name
 * @param {() => Promise<string>} check
 * @param {AbortSignal} signal
 * @returns {Promise<import("./packaging/table.mjs").Row>}
 */
async function checkRow(name, check, signal) {
    const { value: what = "", ...failed } = await attempt(check);
    signal.throwIfAborted();
    report(name, failed);
    return { name, what, steps: [], ...failed };
}

/**
 * @param {import("./packaging/cells.mjs").Cell} cell
 * @param {import("./packaging/trial.mjs").Materials} materials
 * @returns {Promise<import("./packaging/table.mjs").Row>}
 */
async function cellRow(cell, materials) {
    /** @type {import("./packaging/trial.mjs").Step[]} */
    const steps = [];
    const result = await attempt(() => tryCell(cell, materials, (step) => steps.push(step)));
    materials.signal.throwIfAborted();
    report(cell.name, result);
    const versions = result.value ?? { node: String(cell.node), pulumi: cell.pulumi };
    return {
        name: cell.name,
        what: [`${cell.manager} ${cell.managerVersion}`.trim(), cell.language, cell.modules].join(", "),
        ...versions,
        steps,
        ...(result.failure !== undefined && { failure: result.failure }),
    };
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<{ value?: T, failure?: string }>}
 */
async function attempt(work) {
    try {
        return { value: await work() };
    } catch (error) {
        return { failure: error instanceof Error ? error.message : String(error) };
    }
}

/**
 * @param {string} name
 * @param {{ failure?: string }} result
 */
function report(name, { failure }) {
    say(failure === undefined ? "passed" : "FAILED", failure === undefined ? name : `${name}: ${failure}`);
}

/**
 * `npm test [-- SUITE] [FILE...] [JEST OPTIONS]`: runs jest, with a build and an engine on PATH if the tests need them. The last
 * line is the number of passed and failed tests.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { bootstrap } from "./bootstrap.mjs";
import { ensureEngine, pathWithEngine } from "./engine/setup.mjs";
import { runInForeground } from "./lib/children.mjs";
import { inNewFolder, readJson } from "./lib/files.mjs";
import { repositoryRoot, report, ScriptError } from "./lib/repository.mjs";

const configurationIn = (folder) => `${folder}/jest.config.js`;
const exists = (path) => existsSync(join(repositoryRoot, path));

/** The folders of tests/ that `npm test` runs only if its first argument names them. */
const suites = readdirSync(join(repositoryRoot, "tests")).filter((name) => exists(configurationIn(`tests/${name}`)));

/** The folders of tests/ that need only the packages, or bring an engine of their own. */
const withoutEngine = ["contract", "model", "properties", "unit", "windows"];
/** Of tests that only a release needs. */
const ofRelease = ".release.test.ts";
const jest = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");

const help = `Usage: npm test [-- SUITE] [FILE...] [OPTIONS OF JEST]

  SUITE  ${suites.join(", ")};
         CONTRIBUTING.md describes them, and what runs without one
  FILE   a test file, a folder, or another part of the path of test files

All tests outside of ${withoutEngine.map((name) => `tests/${name}`).join(", ")} need a Pulumi engine, which the
first run installs, or builds in some minutes.
`;

export async function run(typed) {
    if (typed.includes("--help")) {
        process.stdout.write(help);
        return 0;
    }
    const args = jestArguments(typed);
    const listing = args.includes("--listTests");
    const env = listing || !testsOf(args).some(needsEngine) ? process.env : await environmentWithEngine();
    return inNewFolder(async (folder) => {
        const output = listing ? [] : ["--json", "--outputFile", join(folder, "result.json")];
        const code = await runInForeground(process.execPath, [jest, ...output, ...args], { cwd: repositoryRoot, env });
        if (existsSync(join(folder, "result.json"))) {
            process.stdout.write(`${summaryOf(readJson("result.json", folder))}\n`);
        }
        return code;
    });
}

/** The test files that jest runs with these arguments. */
function testsOf(args) {
    const { stdout } = spawnSync(process.execPath, [jest, ...args, "--listTests"], { cwd: repositoryRoot });
    const lines = stdout.toString().split("\n").filter(Boolean);
    return lines.map((file) => relative(repositoryRoot, file.trim()).replaceAll(sep, "/"));
}

const needsEngine = (file) =>
    file.endsWith(ofRelease) || !withoutEngine.some((name) => file.startsWith(`tests/${name}/`));

async function environmentWithEngine() {
    await bootstrap();
    const engine = await ensureEngine();
    report("engine", `Pulumi ${engine.version} in ${engine.bin}`);
    return { ...process.env, PATH: pathWithEngine(engine) };
}

/**
 * The arguments of jest, with a configuration: that of the suite, otherwise that of the named files and folders, which is
 * that of their folder in tests/, or that of the tests that only a release needs.
 */
function jestArguments(args) {
    const [suite, ...others] = args;
    if (suites.includes(suite)) {
        return ["--config", configurationIn(`tests/${suite}`), ...others];
    }
    const paths = args.filter((one) => one.startsWith("tests/") && exists(one));
    const found = new Set(paths.map(configurationOf));
    if (found.size > 1) {
        throw new ScriptError(
            `These tests have different configurations: ${[...found].join(", ")}. Run them one by one.`,
        );
    }
    return [...[...found].flatMap((one) => ["--config", one]), ...args];
}

function configurationOf(path) {
    const folder = path.split("/").slice(0, 2).join("/");
    const file = configurationIn(path.endsWith(ofRelease) ? "tests/release" : folder);
    return exists(file) ? file : "jest.config.js";
}

/** The line that .ci/run searches for. A suite that could not run counts as a failed test. */
function summaryOf(result) {
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    const skipped = result.numPendingTests + result.numTodoTests;
    return `${result.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

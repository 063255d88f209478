/** `npm run mutate -- FILE...`: changes the code of provider/ in many small ways, and shows which changes no test notices. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runInForeground } from "./lib/children.mjs";
import { inNewFolder } from "./lib/files.mjs";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";

const pathOf = (name) => join(repositoryRoot, name);
const stryker = pathOf("scripts/mutate/stryker.mjs");
const foldersIn = (name) => readdirSync(pathOf(name), { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** The tests of provider/ that need only the packages and no clone. */
const tests = [
    ...[...foldersIn("provider").map(({ name }) => name), "cli", "sdk"].map((name) => `tests/unit/${name}`),
    ...["tests/contract", "tests/properties", "tests/model"],
];

const help = `Usage: npm run mutate -- [OPTIONS] FILE...

Changes the code in many small ways with Stryker, and shows which of these mutants no test kills. A mutant is killed
if a test fails or does not end.

  FILE             a file or a folder, such as provider/lifecycle/errors.ts, or lines: provider/lifecycle/errors.ts:90-100
  --sample N       tests N random mutants of each file, the same ones for the same source
  --at-least N     fails if fewer than N percent of the mutants of a folder are killed
  --concurrency N  the number of processes; default: one less than this computer has cores

Runs all tests once (two minutes), and for each mutant those that execute it, until one fails: about a second for a
mutant that is killed, and half a minute for one that survives. Code that runs only while a module loads is not changed.
Does not build, and changes no file of the clone.
`;

export async function run(args) {
    const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: {
            sample: { type: "string" },
            "at-least": { type: "string" },
            concurrency: { type: "string", default: String(Math.max(1, availableParallelism() - 1)) },
            help: { type: "boolean" },
        },
    });
    if (values.help || positionals.length === 0) {
        process.stdout.write(help);
        return values.help ? 0 : 1;
    }
    const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, numberIn(name, value)]));
    const options = { ...numbers, mutate: positionals.map(patternOf), roots: tests.map((path) => `<rootDir>/${path}`) };
    // Stryker ends its process at Ctrl-C.
    return inNewFolder((tempDirName) =>
        runInForeground(process.execPath, [stryker, JSON.stringify({ ...options, tempDirName })], {
            cwd: repositoryRoot,
        }),
    );
}

/** The pattern of Stryker for a file, lines of a file, or a folder. */
function patternOf(argument) {
    const path = argument.replace(/:\d[\d:-]*$/, "");
    if (!path.startsWith("provider/") || !existsSync(pathOf(path))) {
        throw new ScriptError(`${path} is neither a file nor a folder of provider/.`);
    }
    return statSync(pathOf(path)).isDirectory() ? `${path.replace(/\/$/, "")}/**/!(*.gen).ts` : argument;
}

function numberIn(option, value) {
    if (!/^[1-9]\d*$/.test(value)) {
        throw new ScriptError(`--${option} ${value} must be a whole number of at least 1.`);
    }
    return Number(value);
}

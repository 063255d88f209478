/**
 * `npm run test:packaging [-- OPTIONS]`: tests the packed package in new projects outside of the repository, with several
 * package managers, languages, TypeScript loaders, and versions of Node and Pulumi.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { repositoryRoot, report, ScriptError } from "./lib/repository.mjs";
import { columns } from "./lib/table.mjs";
import { loaders, projects, run as runCommand, tryLoader, tryProject } from "./packaging/projects.mjs";

const names = ["package", ...Object.keys(projects), ...Object.keys(loaders)];
const usage = `npm run test:packaging [-- OPTIONS]

  --only NAME  run only this cell; can be repeated: ${names.join(", ")}
  --keep       keep the folder with the projects
  --help       show this text
`;
const maxFiles = 60;
const unwantedFiles = /(^|\/)\.|\.map$|(?<!\.d)\.ts$|^(?!dist\/|pulumi-resource-clouddb|[A-Z]+(\.md)?$|package\.json$)/;

export async function run(args) {
    const { only = names, keep, help } = parse(args);
    if (help) {
        return void process.stdout.write(usage);
    }
    const enginePath = pathWithEngine(await ensureEngine());
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "clouddb-packaging-")));
    const rows = [];
    try {
        const tarball = await pack(folder);
        for (const name of names.filter((one) => only.includes(one))) {
            const materials = { folder: join(folder, name), tarball: tarball.file, enginePath };
            const work =
                (projects[name] && (() => tryProject(projects[name], materials))) ??
                (loaders[name] && (() => tryLoader(loaders[name], materials))) ??
                (() => checkPackage(tarball));
            try {
                rows.push([name, "passed", await work()]);
                report("passed", name);
            } catch ({ message }) {
                rows.push([name, "FAILED", ""]);
                report("FAILED", `${name}: ${message}`);
            }
        }
    } finally {
        if (keep) {
            report("kept", folder);
        } else {
            rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
        }
    }
    const failed = rows.filter(([, result]) => result === "FAILED").length;
    process.stdout.write(`\n${columns(rows).join("\n")}\n\n${rows.length - failed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
}

function parse(args) {
    const [flag, text] = [{ type: "boolean" }, { type: "string", multiple: true }];
    try {
        const { values } = parseArgs({ args, options: { only: text, keep: flag, help: flag } });
        const unknown = values.only?.find((name) => !names.includes(name));
        if (unknown !== undefined) {
            throw new Error(`There is no cell ${unknown}.`);
        }
        return values;
    } catch ({ message }) {
        throw new ScriptError(`${message}\n\n${usage}`, 2);
    }
}

/** Packs the built package. */
async function pack(folder) {
    const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
    const [packed] = Object.values(JSON.parse(await runCommand(["npm", ...args], { cwd: repositoryRoot })));
    return { file: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

/** The checks that do not run the package. publint checks that the files of package.json exist. */
async function checkPackage({ file, files }) {
    const unwanted = files.filter((path) => unwantedFiles.test(path));
    if (unwanted.length > 0 || files.length >= maxFiles) {
        throw new Error(`The package has ${files.length} files, and these are unnecessary: ${unwanted.join(", ")}`);
    }
    const tool = (name, ...args) => runCommand(["npx", "--no", name, ...args], { cwd: repositoryRoot });
    await tool("publint", "run", file, "--strict");
    // Only the resolution of Node: the older one does not support `exports`.
    await tool("attw", file, "--profile", "node16", "--no-emoji", "--no-color", "--format", "ascii");
    return `${files.length} files; publint and attw have no messages`;
}

/**
 * `npm run test:packaging [-- OPTIONS]`: tests the packed package in new projects outside of the repository, with several
 * package managers, languages, and versions of Node and Pulumi.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { repositoryRoot, report, ScriptError } from "./lib/repository.mjs";
import { columns } from "./lib/table.mjs";
import { cells } from "./packaging/cells.mjs";
import { environments, tryEnvironment } from "./packaging/environments.mjs";
import { tryReadme } from "./packaging/readme.mjs";
import { checksOf, pack, packHigher } from "./packaging/tarball.mjs";
import { tryCell } from "./packaging/trial.mjs";

const cellNames = ["package", "readme", ...[...environments, ...cells].map(({ name }) => name)];
const usage = `npm run test:packaging [-- OPTIONS]

  --only NAME  run only this cell; can be repeated: ${cellNames.join(", ")}
  --keep       keep the folder with the projects
  --help       show this text
`;
const steps = ["install", "up", "again", "upgrade", "destroy"];

export async function run(args) {
    const { only = cellNames, keep, help } = parse(args);
    if (help) {
        return void process.stdout.write(usage);
    }
    const engine = await ensureEngine();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "clouddb-packaging-")));
    try {
        const tarball = await pack(repositoryRoot, join(folder, "package"));
        const higher = await packHigher(tarball, join(folder, "higher"));
        report("pack", `${tarball.file}, ${tarball.files.length} files`);
        const materials = (name) => ({
            ...{ tarball, higher, enginePath: pathWithEngine(engine), pulumi: pulumiVersions() },
            folder: join(folder, name),
        });
        const checks = {
            ...(only.includes("package") && checksOf(tarball)),
            ...(only.includes("readme") && { readme: () => tryReadme(materials("readme")) }),
        };
        const isWanted = ({ name }) => only.includes(name);
        for (const environment of environments.filter(isWanted)) {
            checks[environment.name] = () => tryEnvironment(environment, materials(environment.name));
        }
        const rows = [];
        for (const [name, check] of Object.entries(checks)) {
            rows.push(await row(name, async () => ({ project: await check() })));
        }
        for (const cell of cells.filter(isWanted)) {
            const { manager, managerPackage = manager, language, modules } = cell;
            const project = [managerPackage, language, modules].join(", ");
            rows.push(
                await row(cell.name, async (shown) => {
                    Object.assign(shown, { project, node: String(cell.node), pulumi: cell.pulumi });
                    return tryCell(cell, materials(cell.name), (step, time) => (shown[step] = time));
                }),
            );
        }
        const headings = ["cell", "project", "node", "pulumi", ...steps, "result"];
        const table = [headings, ...rows.map((shown) => headings.map((heading) => shown[heading] ?? ""))];
        const failed = rows.filter(({ result }) => result === "FAILED").length;
        process.stdout.write(`\n${columns(table).join("\n")}\n\n${rows.length - failed} passed, ${failed} failed\n`);
        return failed === 0 ? 0 : 1;
    } finally {
        if (keep) {
            report("kept", folder);
        } else {
            rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
        }
    }
}

function parse(args) {
    const [flag, names] = [{ type: "boolean" }, { type: "string", multiple: true }];
    try {
        const { values } = parseArgs({ args, options: { only: names, keep: flag, help: flag } });
        const unknown = values.only?.find((name) => !cellNames.includes(name));
        if (unknown !== undefined) {
            throw new Error(`There is no cell ${unknown}.`);
        }
        return values;
    } catch ({ message }) {
        throw new ScriptError(`${message}\n\n${usage}`, 2);
    }
}

/** The oldest supported version, and the newest version of the same major version. */
function pulumiVersions() {
    const { peerDependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    const newest = peerDependencies["@pulumi/pulumi"];
    return { oldest: newest.replace("^", ""), newest };
}

/** Runs one cell and returns its row of the table. */
async function row(cell, work) {
    const shown = { cell };
    try {
        Object.assign(shown, await work(shown), { result: "passed" });
        report("passed", cell);
    } catch ({ message }) {
        shown.result = "FAILED";
        report("FAILED", `${cell}: ${message}`);
    }
    return shown;
}

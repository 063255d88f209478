import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { run } from "../support/command";
import { shellBlocksOf } from "../support/documents";
import { newFolder } from "../support/folder";
import { fromText, openOutside, startOutside } from "../support/project";

// Follows docs/changes.md#upgrade with npm, in the repository of a project that has the old file. tests/languages/archives.test.ts
// does it with the archive.

const older = "0.1.9";
const program = `new (require("pulumi-clouddb").Service)("orders", { cpuMillis: 500 });`;

/** Packs the package under an older version. */
async function packOlder(file: string, above: string): Promise<string> {
    const folder = join(above, "older");
    mkdirSync(folder);
    await run("tar", ["-xzf", file, "-C", folder], { cwd: above, env: process.env });
    const manifest = join(folder, "package", "package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(`"version": "${version}"`, `"version": "${older}"`));
    await run("npm", ["pack", "--ignore-scripts", "./package"], { cwd: folder, env: process.env });
    return join(folder, `pulumi-clouddb-${older}.tgz`);
}

test("an upgrade with npm removes the old file, installs the new one, keeps deploy.yml, and changes no database", async () => {
    const outside = await startOutside(newFolder());
    const { above } = outside;
    const [file = ""] = readdirSync(above).filter((name) => name.endsWith(".tgz"));
    const olderFile = await packOlder(join(above, file), above);
    const { emulator, folder, shell } = await openOutside(outside, "shop", fromText(program));
    const ownDeploy = "# our own";
    await shell(
        [
            "git init --quiet && git config user.name us && git config user.email us@example.com",
            `cp ${olderFile} . && npm install ./pulumi-clouddb-${older}.tgz`,
            `mkdir -p .github/workflows && echo '${ownDeploy}' > .github/workflows/deploy.yml`,
            "echo node_modules > .gitignore",
            "pulumi stack init prod && pulumi up",
            "git add . && git commit --quiet --message before",
        ].join("\n"),
    );
    rmSync(join(above, "older"), { recursive: true });
    const [
        inClone = "",
        replace = "",
        install = "",
        archiveInClone = "",
        archive = "",
        workflows = "",
        python = "",
        ...others
    ] = shellBlocksOf("docs/changes.md#upgrade");
    expect(others).toEqual([]);
    // The clone has packed the new version; tests/languages/archives.test.ts runs the lines for an archive.
    expect(inClone).toContain("npm pack --pack-destination ..");
    expect([archiveInClone, archive, python].every((lines) => lines.includes("plugin"))).toBe(true);

    await shell([replace, install, workflows].join("\n"));

    const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        dependencies: Record<string, string>;
    };
    expect(dependencies["pulumi-clouddb"]).toBe(`file:pulumi-clouddb-${version}.tgz`);
    const files = (await shell("git add . && git ls-files")).split("\n");
    expect(files.filter((name) => name.endsWith(".tgz"))).toEqual([`pulumi-clouddb-${version}.tgz`]);
    const nameOf = (path: string) => path.replace(".github/workflows/", "");
    expect(files.filter((name) => name.startsWith(".github/")).map(nameOf)).toEqual([
        "deploy.yml",
        "drift.yml",
        "preview.yml",
        "up.yml",
    ]);
    expect(readFileSync(join(folder, ".github", "workflows", "deploy.yml"), "utf8").trim()).toBe(ownDeploy);
    const installed = await shell("node -p 'require(\"pulumi-clouddb/package.json\").version'");
    expect(installed.trim()).toBe(version);
    // The job of the pipeline.
    emulator.clearJournal();
    await shell("rm -r node_modules && npm ci --ignore-scripts && pulumi preview --expect-no-changes && pulumi up");
    expect(emulator.changes()).toEqual([]);
});

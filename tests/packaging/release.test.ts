import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { version } from "../../package.json";
import { optionalDependencies } from "../../scripts/standalone/package.json";
import { run } from "../support/command";
import { newFolder } from "../support/folder";
import { filesBelow, read, root } from "../support/documents";

/** Builds a release in a new folder. */
async function build(env: NodeJS.ProcessEnv = {}): Promise<string> {
    const folder = join(newFolder(), "release");
    await run("npm", ["run", "release", "--", folder], { cwd: root, env: { ...process.env, ...env } });
    return folder;
}

const textOf = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");
const sumOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** The paths of the files in an archive. */
async function pathsIn(file: string): Promise<string[]> {
    const paths: string[] = [];
    await list({ file, onReadEntry: ({ path }) => paths.push(path) });
    return paths;
}

let release = "";

beforeAll(async () => {
    release = await build();
});

/** What the executables are, which do not run here. */
const platforms = [
    { platform: "linux-amd64", format: "ELF", machine: 62 },
    { platform: "linux-arm64", format: "ELF", machine: 183 },
    { platform: "windows-amd64", format: "PE", machine: 0x8664 },
    // Windows on Arm runs programs for amd64.
    { platform: "windows-arm64", format: "PE", machine: 0x8664 },
    { platform: "darwin-amd64", format: "Mach-O", machine: 0x1000007 },
    { platform: "darwin-arm64", format: "Mach-O", machine: 0x100000c },
] as const;

test("a release contains the package, the plugin for each platform, the SDK for Python, an SBOM, notes and checksums", () => {
    expect(readdirSync(release).sort()).toEqual(
        [
            "SHA256SUMS",
            `pulumi-clouddb-${version}.cdx.json`,
            `pulumi-clouddb-${version}.tgz`,
            ...platforms.map(({ platform }) => `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`),
            `pulumi_clouddb-${version}-py3-none-any.whl`,
            `pulumi_clouddb-${version}.tar.gz`,
            "release-notes.md",
        ].sort(),
    );
});

/** Node.js replaces the last digit in an executable that contains a program. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:";

test.each(platforms)(
    "the archive for $platform has an executable for it, with the plugin in it, the licenses, the pages and the templates",
    async ({ platform, ...kind }) => {
        const archive = join(release, `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`);
        const name = `pulumi-resource-clouddb${platform.startsWith("windows") ? ".exe" : ""}`;
        const program = execFileSync("tar", ["-xzOf", archive, name], { maxBuffer: Infinity });
        expect(kindOf(program)).toEqual(kind);
        expect(program.includes(`${fuse}1`)).toBe(true);
        expect(program.includes(`${fuse}0`)).toBe(false);
        const paths = await pathsIn(archive);
        const others = paths.filter((path) => !/^(docs|templates|examples)\//.test(path));
        const documents = ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"];
        expect(others).toEqual([...documents, "commit.txt", "nodejs-license.txt", name, "third-party-licenses.txt"]);
        expect(paths.filter((path) => /^templates\/\w+\/Pulumi.yaml$/.test(path))).toHaveLength(4);
        expect(paths).toEqual(expect.arrayContaining(["docs/protection.md", "examples/workflows/python/up.yml"]));
        expect(paths).not.toContain("docs/architecture.md");
    },
);

function kindOf(program: Buffer): { format: string; machine: number } {
    if (program.subarray(0, 4).equals(Buffer.from("\x7fELF", "latin1"))) {
        return { format: "ELF", machine: program.readUInt16LE(18) };
    }
    if (program.readUInt32LE(0) === 0xfeedfacf) {
        return { format: "Mach-O", machine: program.readUInt32LE(4) };
    }
    const header = program.readUInt32LE(0x3c);
    return {
        format: program.subarray(header, header + 4).toString("latin1") === "PE\0\0" ? "PE" : "unknown",
        machine: program.readUInt16LE(header + 4),
    };
}

test("the checksums are those of all other files", () => {
    const others = readdirSync(release).filter((name) => name !== "SHA256SUMS");
    const expected = others.sort().map((name) => `${sumOf(readFileSync(join(release, name)))}  ${name}\n`);
    expect(textOf(release, "SHA256SUMS")).toBe(expected.join(""));
});

test("a second build at another time, in another time zone and with other dates of files has the same checksums", async () => {
    for (const file of ["README.md", "LICENSE", ...filesBelow("sdk/python", ".py"), ...filesBelow("examples", ".ts")]) {
        utimesSync(join(root, file), new Date(), new Date());
    }
    const second = await build({ TZ: "Asia/Tokyo", LC_ALL: "C", npm_config_umask: "077" });
    expect(textOf(second, "SHA256SUMS")).toBe(textOf(release, "SHA256SUMS"));
});

test("the notes are the section of the version in the changelog", () => {
    const notes = textOf(release, "release-notes.md");
    // A build between two releases has the notes of the next one.
    const changelog = read("CHANGELOG.md").replace(`## ${version} (unreleased)\n`, `## ${version}\n`);
    const [, section = ""] = changelog.split(`## ${version}\n\n`);
    expect(section.split("\n## ")[0]?.trim()).toBe(notes.trim());
});

test("the SBOM lists each bundled package with its version, license and hash, and no others", () => {
    const { bomFormat, metadata, components } = JSON.parse(textOf(release, `pulumi-clouddb-${version}.cdx.json`)) as {
        bomFormat: string;
        metadata: { component: { name: string; version: string } };
        components: { name: string; version: string; hashes: unknown[]; licenses: unknown[] }[];
    };
    expect(bomFormat).toBe("CycloneDX");
    expect(metadata.component).toMatchObject({ name: "pulumi-clouddb", version });
    const archive = join(release, `pulumi-resource-clouddb-v${version}-linux-amd64.tar.gz`);
    const ofFile = execFileSync("tar", ["-xzOf", archive, "third-party-licenses.txt"], { encoding: "utf8" });
    const headings = `${read("dist/third-party-licenses.txt")}\n${ofFile}`.match(/^\S+ \d+\.\d+\.\d+\S* \(.+\)$/gm);
    const names = components.map((one) => one.name);
    const runtimes = Object.keys(optionalDependencies);
    expect(names).toHaveLength(new Set(headings).size + runtimes.length);
    expect(names).toEqual(expect.arrayContaining(["ajv", "axios", "@grpc/grpc-js", "pg", ...runtimes]));
    expect(names).not.toContain("jest");
    expect(components.filter(({ hashes, licenses }) => hashes.length === 0 || licenses.length === 0)).toEqual([]);
});

test("the source archive for Python contains the license and all sources, and no file of a build or of an installation", async () => {
    const paths = await pathsIn(join(release, `pulumi_clouddb-${version}.tar.gz`));
    const sources = filesBelow("sdk/python/pulumi_clouddb", ".py").map((file) => file.replace("sdk/python/", ""));
    const required = ["LICENSE", "README.md", "pyproject.toml", "pulumi_clouddb/pulumi-plugin.json", ...sources];
    expect(paths).toEqual(expect.arrayContaining(required.map((file) => `pulumi_clouddb-${version}/${file}`)));
    expect(paths.filter((path) => /__pycache__|\.pyc$|\/build\/|\/venv\//.test(path))).toEqual([]);
});

test("the wheel can be installed, and Python finds the version of the plugin in it", async () => {
    const folder = newFolder();
    const wheel = join(release, `pulumi_clouddb-${version}-py3-none-any.whl`);
    const options = { cwd: folder, env: process.env };
    await run(
        "python3",
        ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", "site", wheel],
        options,
    );
    expect(textOf(folder, "site/pulumi_clouddb/pulumi-plugin.json")).toContain(`"version": "${version}"`);
});

test("a folder with other files is not overwritten", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "important.txt"), "keep");
    const building = run("npm", ["run", "release", "--", folder], { cwd: root, env: process.env });
    await expect(building).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["important.txt"]);
});

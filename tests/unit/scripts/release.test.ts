import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { version } from "../../../package.json";
import { read, root } from "../../support/documents";

const places = [
    "package.json",
    "package-lock.json",
    "CHANGELOG.md",
    "docs/languages.md",
    "provider/api/version.gen.ts",
    "provider/hosts/native/schema.gen.json",
    "sdk/python/pyproject.toml",
    "sdk/python/pulumi_clouddb/pulumi-plugin.json",
    "sdk/go/clouddb/pulumi-plugin.json",
    "sdk/go/clouddb/internal/pulumiUtilities.go",
];

test("package-lock.json has the version of package.json", () => {
    const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, { version: string }> };
    expect(lock.packages[""]?.version).toBe(version);
});

test("the version appears only in package.json, the changelog and the files that are derived from package.json", () => {
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: root }).toString().split("\0").filter(Boolean);
    const mention = new RegExp(`(clouddb|[Vv]ersion).*(?<![\\d.])${version.replaceAll(".", "\\.")}(?![\\d.]*\\d)`);
    const other = files
        .filter((file) => !places.includes(file) && !/\.(sum|png|svg)$/.test(file) && !file.startsWith("tests/"))
        .filter((file) => existsSync(join(root, file)) && mention.test(read(file)));
    expect(other).toEqual([]);
});

const workflows = [".github/workflows", "examples/workflows"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
);

test.each(workflows)("%s pins each action of another repository to a commit, with its version", (file) => {
    const uses = read(file).match(/^.*\buses:.*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    expect(
        uses.filter(
            (line) => !/uses: ([\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/)/.test(line),
        ),
    ).toEqual([]);
});

test("an action has the same commit in all workflows", () => {
    const lines = workflows.flatMap((file) => read(file).match(/uses: \S+/g) ?? []);
    const names = new Set(lines.map((line) => line.split("@")[0]));
    expect(new Set(lines).size).toBe(names.size);
});

test("the release workflow gives write permissions and signatures only to the jobs that need them", () => {
    const { permissions, jobs } = parse(read(".github/workflows/release.yml")) as {
        permissions: object;
        jobs: Record<string, { permissions: object; environment?: string }>;
    };
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.build?.permissions).toEqual({ actions: "read", contents: "read" });
    expect(jobs.sign).toMatchObject({
        "runs-on": "macos-15",
        permissions: { contents: "read", "id-token": "write", attestations: "write" },
    });
    expect(jobs.publish).toMatchObject({
        environment: "release",
        permissions: { contents: "write", "id-token": "write" },
    });
});

const manifests: Readonly<Record<string, RegExp>> = {
    npm: /(^|\/)package\.json$/,
    pip: /(^|\/)requirements[^/]*\.txt$/,
    maven: /(^|\/)pom\.xml$/,
    gomod: /(^|\/)go\.mod$/,
};

test.each(Object.entries(manifests))("updates of %s cover each folder with a manifest", (ecosystem, manifest) => {
    const { updates } = parse(read(".github/dependabot.yml")) as {
        updates: { "package-ecosystem": string; directories: string[] }[];
    };
    const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
    const folders = files.filter((file) => manifest.test(file)).map((file) => `/${dirname(file)}`.replace("/.", "/"));
    // The SDKs are generated, and the examples in TypeScript are workspaces of the root.
    const own = folders.filter((folder) => !folder.startsWith("/sdk/"));
    const updated = ecosystem === "npm" ? own.filter((folder) => !/^\/examples\/[^/]+$/.test(folder)) : own;
    const covered = updates.find((one) => one["package-ecosystem"] === ecosystem)?.directories ?? [];
    expect([...new Set(covered)].sort()).toEqual([...new Set(updated)].sort());
});

test("the version of Node.js for a clone is the oldest that is supported", () => {
    const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${read(".nvmrc").trim()}`);
});

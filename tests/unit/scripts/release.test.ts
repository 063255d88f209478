import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { read, root } from "../../support/documents";

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

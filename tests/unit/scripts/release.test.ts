import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { version } from "../../../package.json";
import { read, root } from "../../support/documents";

/** Evaluates an expression with the exports of a script. */
function evaluate(script: string, expression: string): unknown {
    const url = JSON.stringify(pathToFileURL(join(root, "scripts", "release", script)));
    const program = `import * as script from ${url}; console.log(JSON.stringify(${expression}) ?? "null")`;
    return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program]).toString());
}

const places = [
    "package.json",
    "package-lock.json",
    "CHANGELOG.md",
    "provider/api/version.gen.ts",
    "provider/hosts/native/schema.gen.json",
    "sdk/python/pyproject.toml",
    "sdk/python/pulumi_clouddb/pulumi-plugin.json",
    "sdk/go/clouddb/pulumi-plugin.json",
    "sdk/go/clouddb/internal/pulumiUtilities.go",
];

describe("the version", () => {
    const problemsIn = (folder: string) => evaluate("version.mjs", `script.versionProblems(${JSON.stringify(folder)})`);

    it("is the same in all places", () => {
        expect(problemsIn(root)).toEqual([]);
    });

    it("is reported for each place where it differs, with the command that corrects it", () => {
        const copy = mkdtempSync(join(tmpdir(), "clouddb-version-"));
        try {
            for (const file of places) {
                mkdirSync(dirname(join(copy, file)), { recursive: true });
                cpSync(join(root, file), join(copy, file));
            }
            const manifest = readFileSync(join(copy, "package.json"), "utf8");
            writeFileSync(
                join(copy, "package.json"),
                manifest.replace(`"version": "${version}"`, '"version": "9.8.7"'),
            );
            const problems = problemsIn(copy) as string[];
            expect(problems).toHaveLength(places.length - 1);
            expect(problems).toContain(
                `sdk/python/pyproject.toml contains version ${version}, not 9.8.7. Run: npm run generate`,
            );
            expect(problems).toContain('CHANGELOG.md has no section "## 9.8.7". Write it.');
        } finally {
            rmSync(copy, { recursive: true, force: true });
        }
    });

    it("appears in no other file", () => {
        const files = execFileSync("git", ["ls-files", "-z"], { cwd: root }).toString().split("\0").filter(Boolean);
        const mention = new RegExp(`(clouddb|[Vv]ersion).*(?<![\\d.])${version.replaceAll(".", "\\.")}(?![\\d.]*\\d)`);
        const other = files
            .filter((file) => !places.includes(file) && !/\.(sum|png|svg)$/.test(file) && !file.startsWith("tests/"))
            .filter((file) => existsSync(join(root, file)) && mention.test(read(file)));
        expect(other).toEqual([]);
    });
});

describe("the notes of a version", () => {
    const changelog = "# Changelog\n\n## 1.1.0\n\nNew.\n\n### Fixes\n\n- One.\n\n## 1.0.0\n\nFirst.\n";
    const notesOf = (wanted: string, text = changelog) =>
        evaluate("notes.mjs", `script.notesOf(${JSON.stringify(text)}, ${JSON.stringify(wanted)})`);

    it("are its section without the heading", () => {
        expect(notesOf("1.1.0")).toBe("New.\n\n### Fixes\n\n- One.\n");
        expect(notesOf("1.0.0")).toBe("First.\n");
    });

    it("are missing without a section, or with an empty one", () => {
        expect(notesOf("1.1")).toBeNull();
        expect(notesOf("2.0.0", changelog.replace("## 1.1.0", "## 2.0.0\n\n$&"))).toBeNull();
    });
});

test("the SBOM finds the bundled packages in the file of licenses", () => {
    const line = "-".repeat(80);
    const licenses = `axios 1.0.0 (MIT)\n\ntext 1.0.0 (of a license)\n\n${line}\n\n@grpc/grpc-js 1.2.3 (Apache-2.0)\n`;
    const found = evaluate("sbom.mjs", `[...script.bundledPackages(${JSON.stringify(licenses)})]`);
    expect(found).toEqual(["axios@1.0.0", "@grpc/grpc-js@1.2.3"]);
});

const workflows = [".github/workflows", "examples/workflows"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
);

test.each(workflows)("%s pins each action to a commit, with its version", (file) => {
    const uses = read(file).match(/^.*\buses:.*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/.test(line))).toEqual([]);
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
    expect(jobs.build?.permissions).toEqual({ contents: "read", "id-token": "write", attestations: "write" });
    expect(jobs.publish).toMatchObject({
        environment: "release",
        permissions: { contents: "write", "id-token": "write" },
    });
});

test("updates are configured for each kind of dependencies, in folders that exist", () => {
    const { updates } = parse(read(".github/dependabot.yml")) as {
        updates: { "package-ecosystem": string; directory?: string; directories?: string[] }[];
    };
    expect(updates.map((one) => one["package-ecosystem"])).toEqual(["npm", "github-actions", "pip", "gomod"]);
    const folders = updates.flatMap(({ directory, directories = [] }) => [...directories, directory ?? "/"]);
    expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});

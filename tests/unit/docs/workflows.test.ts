import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { parse } from "yaml";
import { filesBelow, read, root } from "../../support/documents";

test("each action of another repository has a commit and its version, the same in all workflows", () => {
    const workflows = [".github/workflows", "examples/workflows"].flatMap((folder) => filesBelow(folder, ".yml"));
    const lines = workflows.flatMap((file) => read(file).match(/\buses: [^,\n]*/g) ?? []);
    const actions = lines.filter((line) => !line.startsWith("uses: ./.github/workflows/"));
    expect(actions.length).toBeGreaterThan(10);
    expect(actions.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+\b/.test(line))).toEqual([]);
    expect(new Set(actions).size).toBe(new Set(actions.map((line) => line.split("@")[0])).size);
});

test.each([
    ["npm", /(^|\/)package\.json$/],
    ["pip", /(^|\/)requirements[^/]*\.txt$/],
    ["maven", /(^|\/)pom\.xml$/],
    ["gomod", /(^|\/)go\.mod$/],
])("updates of %s cover each folder with a manifest", (ecosystem, manifest) => {
    const { updates } = parse(read(".github/dependabot.yml")) as {
        updates: { "package-ecosystem": string; directories: string[] }[];
    };
    const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
    const folders = files.filter((file) => manifest.test(file)).map((file) => `/${dirname(file)}`.replace("/.", "/"));
    // The SDKs are generated, and the examples in TypeScript are workspaces of the root.
    const others = ecosystem === "npm" ? /^\/(sdk\/|examples\/[^/]+$)/ : /^\/sdk\//;
    const covered = updates.find((one) => one["package-ecosystem"] === ecosystem)?.directories ?? [];
    expect(covered.sort()).toEqual([...new Set(folders.filter((folder) => !others.test(folder)))].sort());
});

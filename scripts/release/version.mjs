/** The version of the package. package.json contains it; all other places are derived from it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../lib/repository.mjs";
import { notesOf } from "./notes.mjs";

const jsonVersion = (text) => JSON.parse(text).version;
const generate = "npm run generate";

/** Each place that repeats the version, how to read it there, and the command that corrects it. */
const copies = {
    "package-lock.json": [(text) => JSON.parse(text).packages[""].version, "npm install --package-lock-only"],
    "provider/api/version.gen.ts": [(text) => /version = "(.+)"/.exec(text)?.[1], generate],
    "provider/hosts/native/schema.gen.json": [jsonVersion, generate],
    "sdk/python/pyproject.toml": [(text) => /^ *version = "(.+)"$/m.exec(text)?.[1], generate],
    "sdk/python/pulumi_clouddb/pulumi-plugin.json": [jsonVersion, generate],
    "sdk/go/clouddb/pulumi-plugin.json": [jsonVersion, generate],
    "sdk/go/clouddb/internal/pulumiUtilities.go": [(text) => /MustParse\("(.+)"\)/.exec(text)?.[1], generate],
};

const read = (root, file) => readFileSync(join(root, file), "utf8");

export const versionOf = (root = repositoryRoot) => jsonVersion(read(root, "package.json"));

/** The places whose version differs from that in package.json, each with the remedy. */
export function versionProblems(root = repositoryRoot) {
    const version = versionOf(root);
    const stale = Object.entries(copies).flatMap(([file, [find, command]]) => {
        const found = find(read(root, file));
        return found === version ? [] : [`${file} contains version ${found}, not ${version}. Run: ${command}`];
    });
    const isDescribed = notesOf(read(root, "CHANGELOG.md"), version) !== undefined;
    return isDescribed ? stale : [...stale, `CHANGELOG.md has no section "## ${version}". Write it.`];
}

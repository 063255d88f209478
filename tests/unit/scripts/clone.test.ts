import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { read, root } from "../../support/documents";

// What a clone on Windows needs.

const manifest = JSON.parse(read("package.json")) as { files: string[]; scripts: Record<string, string> };

it("each text file has the same line ends in each clone: CRLF in a .cmd, LF in all others", () => {
    const rows = execFileSync("git", ["ls-files", "--eol", "--cached", "--others", "--exclude-standard"], {
        cwd: root,
    });
    const files = rows
        .toString()
        .trim()
        .split("\n")
        .map((row) => /^i\/(\S*)\s+w\/(\S*)\s+attr\/(.*?)\s*\t(.*)$/.exec(row) ?? []);
    const checkedOut = files.map(([, , ends, attributes, name = ""]) => ({ name, ends, attributes }));
    const texts = checkedOut.filter(({ ends }) => ends === "lf" || ends === "crlf" || ends === "mixed");
    const rightOf = (name: string) => (name.endsWith(".cmd") ? "crlf" : "lf");
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.filter(({ name, ends }) => ends !== rightOf(name))).toEqual([]);
    expect(texts.filter(({ name, attributes }) => !attributes?.endsWith(`eol=${rightOf(name)}`))).toEqual([]);
});

it("each file with which Pulumi starts the plugin has a sibling that Windows can start", () => {
    const programs = readdirSync(root).filter((name) => name.startsWith("pulumi-resource-") && !name.endsWith(".cmd"));
    expect(programs).toEqual(["pulumi-resource-", "pulumi-resource-clouddb"]);
    for (const name of programs) {
        expect(manifest.files).toEqual(expect.arrayContaining([name, `${name}.cmd`]));
        expect(read(`${name}.cmd`)).toBe('@echo off\r\nnode "%~dp0dist\\plugin\\pulumi-resource-clouddb.js" %*\r\n');
    }
});

it("no script of package.json contains what only one shell understands", () => {
    const words = Object.values(manifest.scripts).flatMap((script) => script.split(" && "));
    expect(words.filter((command) => !/^[\w./ -]+$/.test(command))).toEqual([]);
});

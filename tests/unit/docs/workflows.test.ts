import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { filesBelow, read, root, rowsIn, shellBlocksOf } from "../../support/documents";
import { newFolder } from "../../support/folder";
import { scriptOf } from "../../support/workflows";

/** The parts of a GitHub workflow that decide when it runs. */
interface Workflow {
    readonly name: string;
    readonly on: string | Record<string, unknown>;
    readonly concurrency?: { readonly group: string };
    readonly jobs: Record<string, { readonly uses?: string; readonly concurrency?: { readonly group: string } }>;
}

/** The groups of a workflow and of its jobs. */
const groupsOf = ({ concurrency, jobs }: Workflow) =>
    [{ concurrency }, ...Object.values(jobs)].flatMap((one) => one.concurrency?.group ?? []);
const eventsOf = ({ on }: Workflow) => (typeof on === "string" ? [on] : Object.keys(on));
const folder = "examples/workflows";
const [file = "", copies = "", forPython = ""] = shellBlocksOf("docs/production.md#pipeline");
const forNode = `${file}\n${copies}`;
const folderOfPlugin = /~\/(\.pulumi\/plugins\/[^/]+)/.exec(forPython)?.[1] ?? "";

describe.each([
    ["TypeScript", forNode, "node_modules/pulumi-clouddb", "pulumi-clouddb-0.2.0.tgz"],
    ["Python and YAML", forPython, `home/${folderOfPlugin}`, /(?<=\.\.\/)\S+/.exec(forPython)?.[0] ?? ""],
])("the workflows that the commands for %s copy into an empty repository", (_, commands, installed, archive) => {
    const above = newFolder();
    const repository = join(above, "shop");
    mkdirSync(join(repository, dirname(installed)), { recursive: true });
    symlinkSync(root, join(repository, installed));
    writeFileSync(join(above, archive), "");
    execFileSync("bash", ["--norc", "-euc", `npm() { test -f "$2"; }\n${commands}`], {
        cwd: repository,
        env: { PATH: process.env.PATH, HOME: join(repository, "home") },
    });
    const copied = join(repository, ".github/workflows");
    const workflows = readdirSync(copied).map(
        (name) => [name, parse(readFileSync(join(copied, name), "utf8")) as Workflow] as const,
    );
    const all = workflows.map(([, one]) => one);

    test("run once for each event", () => {
        expect(Object.fromEntries(workflows.map(([name, one]) => [name, eventsOf(one)]))).toEqual({
            "preview.yml": ["pull_request"],
            "deploy.yml": ["push"],
            "up.yml": ["workflow_call"],
            "drift.yml": ["schedule", "workflow_dispatch"],
        });
    });

    test("do not cancel each other", () => {
        const groups = all.flatMap(groupsOf);
        expect(groups.sort()).toEqual([
            "deploy-dev",
            "deploy-prod",
            "deploy-staging",
            expect.stringMatching(/^drift/),
            expect.stringMatching(/^preview-/),
        ]);
        expect(new Set(groups).size).toBe(groups.length);
        expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    });

    test("have each workflow that they call", () => {
        const called = all.flatMap(({ jobs }) => Object.values(jobs).flatMap(({ uses }) => uses ?? []));
        const names = new Set(called.map((path) => basename(path)));
        expect([...names].filter((name) => !workflows.some(([one]) => one === name))).toEqual([]);
    });
});

test("the other workflows say in their first line when to take them, and have names and groups of their own", () => {
    const workflows = readdirSync(join(root, folder)).filter((name) => name.endsWith(".yml"));
    const others = workflows.filter((name) => !forNode.includes(name.replace(".yml", "")));
    expect(others.sort()).toEqual(["night-pause.yml", "preview-database.yml"]);
    expect(others.filter((name) => !read(`${folder}/${name}`).startsWith("# Only for "))).toEqual([]);
    const parsed = workflows.map((name) => parse(read(`${folder}/${name}`)) as Workflow);
    const groups = parsed.flatMap(groupsOf);
    expect([new Set(parsed.map(({ name }) => name)).size, new Set(groups).size]).toEqual([
        workflows.length,
        groups.length,
    ]);
});

test("the workflows for Python differ from the others only in what they install and how they call the command", () => {
    const names = readdirSync(join(root, folder, "python"));
    const same = (text: string) =>
        text
            .replace(/^# For a program in Python.*\n/m, "")
            .replace(/ {6}- uses: actions\/setup-(node|python)@.*\n( {8}.*\n)+/, "")
            .replace(/ {6}- run: npm ci --ignore-scripts\n| {6}- name: Install\n( {8}.*\n)+/, "")
            .replace(/(npx --no-install clouddb-|~\S+\/pulumi-resource-clouddb )plan-comment/, "plan-comment");
    expect(names.sort()).toEqual(["drift.yml", "preview.yml", "up.yml"]);
    for (const name of names) {
        expect(same(read(`${folder}/python/${name}`))).toBe(same(read(`${folder}/${name}`)));
    }
});

test.each(["preview", "up", "drift"])(
    "%s.yml for Python installs the archive of the program, and says if there is another one beside it",
    (name) => {
        const repository = newFolder();
        const plugins = join(repository, "plugins");
        mkdirSync(plugins);
        const add = (version: string) =>
            writeFileSync(join(plugins, `pulumi-resource-clouddb-v${version}-linux-amd64.tar.gz`), "");
        const script = `pulumi() { echo "pulumi $*"; }\n${scriptOf(`python/${name}.yml`, "Install")}`;
        const install = () => spawnSync("bash", ["--norc", "-ec", script], { cwd: repository, encoding: "utf8" });
        add("0.3.0");
        expect(install().stdout).toMatch(
            /^pulumi plugin install resource clouddb 0\.3\.0 --file .*v0\.3\.0-.*\npulumi install\n$/,
        );
        add("0.2.0");
        const { status, stdout } = install();
        expect(status).toBe(1);
        expect(stdout).toMatch(/^::error::.*v0\.2\.0-.*v0\.3\.0-/);
    },
);

test("docs/pipelines.md lists each variable and each secret with the workflows that use it", () => {
    const rows = rowsIn(read("docs/pipelines.md#variables-and-secrets")).slice(2);
    const listed = rows.map(([name = "", , where = "", by = ""]) => [/`(\w+)`/.exec(name)?.[1], where, by]);
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith(".yml"));
    const used = (file: string, kind: string) =>
        [...read(`${folder}/${file}`).matchAll(new RegExp(`\\b${kind}\\.([A-Z_]+)\\b(?!\\])`, "g"))]
            .map(([, name = ""]) => name)
            .filter((name) => name !== "BILLS_PASSWORD");
    const names = [...new Set(files.flatMap((file) => [...used(file, "vars"), ...used(file, "secrets")]))];
    expect(listed.map(([name]) => name).sort()).toEqual([...names, "ORDERS_PASSWORD"].sort());
    const withVariables = files.filter((file) => used(file, "vars").length > 0);
    for (const [name = "", where = "", by = ""] of listed.filter(([name]) => name !== "ORDERS_PASSWORD")) {
        const users = withVariables.filter((file) =>
            used(file, where === "variable" ? "vars" : "secrets").includes(name),
        );
        const all = by === "all" ? withVariables : by.split(", ").map((one) => `${one}.yml`);
        expect([name, users.sort()]).toEqual([name, all.sort()]);
    }
});

test("a new copy of up.yml needs no edit for the password of the program of docs/production.md", () => {
    const variable = /passwordVariable: "(\w+)"/.exec(read("docs/production.md"))?.[1] ?? "";
    const commands = newFolder();
    // The script replaces itself with the command.
    writeFileSync(join(commands, "pulumi"), `#!/bin/sh\nprintenv ${variable} || echo none\n`, { mode: 0o755 });
    const printed = (variables: NodeJS.ProcessEnv) => {
        const env = { PATH: `${commands}:${process.env.PATH ?? ""}`, ...variables };
        return execFileSync("bash", ["--norc", "-ec", scriptOf("up.yml", "Up")], { env, encoding: "utf8" }).trim();
    };
    expect(printed({ PASSWORD_VARIABLE: variable, PASSWORD: 'a b"c$d' })).toBe('a b"c$d');
    expect(printed({ PASSWORD_VARIABLE: "", PASSWORD: "" })).toBe("none");
});

test("the signal of a cancelled job reaches Pulumi: each step that changes a stack ends with exec", () => {
    const lines = filesBelow(folder, ".yml").flatMap((file) =>
        Object.values((parse(read(file)) as { jobs: Record<string, { steps?: { run?: string }[] }> }).jobs)
            .flatMap(({ steps = [] }) => steps.flatMap(({ run = "" }) => run.trim().split("\n").at(-1) ?? []))
            .filter((line) => /\bpulumi (up|destroy)\b/.test(line)),
    );
    const all = filesBelow(folder, ".yml").flatMap((file) => read(file).match(/\bpulumi (up|destroy) -/g) ?? []);
    expect(lines).toHaveLength(all.length);
    expect(lines.filter((line) => !line.startsWith("exec pulumi "))).toEqual([]);
});

test("each action of another repository has a commit and its version, the same in all workflows", () => {
    const workflows = [".github/workflows", "examples/workflows"].flatMap((folder) => filesBelow(folder, ".yml"));
    const lines = workflows.flatMap((file) => read(file).match(/\buses: [^,\n]*/g) ?? []);
    const actions = lines.filter((line) => !line.startsWith("uses: ./.github/workflows/"));
    expect(actions.length).toBeGreaterThan(10);
    expect(actions.filter((line) => !/^uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+\b/.test(line))).toEqual(
        [],
    );
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

import { execFileSync } from "node:child_process";
import { transpileModule } from "typescript";
import { parse } from "yaml";
import { version } from "../../../package.json";
import type { CheckContext, Declared } from "../../../provider/model/resource";
import { operations } from "../../../provider/api/operations.gen";
import { untypedResources } from "../../../provider/resources";
import { blocksOf, currentPages, linesOf, pages, read, refusedCases, shellBlocksOf } from "../../support/documents";

// Statements that readers have copied or relied on, beside what they are about.

const { Service } = untypedResources;
const surroundings = {
    others: () => [],
    referred: () => [],
    now: 0,
} satisfies CheckContext<object>;

test("each page begins with its title, and has no mark of a merge", () => {
    // The page of the Python package is one line, which its registry shows.
    const titled = pages.filter((page) => !page.startsWith("sdk/"));
    expect(titled.filter((page) => !/^# \S/.test(read(page)))).toEqual([]);
    expect(pages.filter((page) => /^(<{7}|>{7}) /m.test(read(page)))).toEqual([]);
});

test("the page about replacements names the inputs whose change needs an empty database, and none that a fork has", () => {
    const [, list = ""] =
        /^A change of (.*?) requires a new, empty database/m.exec(read("docs/protection.md#replace-a-database")) ?? [];
    const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
    const replacing = Object.entries(Service.fields).flatMap(([name, { onChange }]) =>
        onChange === "replace" ? [name] : [],
    );
    expect(named.sort()).toEqual(replacing.filter((name) => name !== "fork").sort());
});

test("the first production program declares a region in each language, and the copy of docs/restore.md has none", () => {
    const fork = { serviceId: "abcdefghij", strategy: "NOW" };
    const { problems = [] } = Service.validate?.({ regionCode: "us-east-1", fork } as Declared, surroundings) ?? {};
    expect(problems.join()).toContain("regionCode");
    for (const page of ["docs/production.md#stacks", "docs/restore.md"]) {
        for (const language of ["ts", "python", "yaml"]) {
            const programs = blocksOf(page, [language]).map(({ text }) => text);
            // In YAML, the copy is a project of its own.
            const isOfCopy = page === "docs/restore.md" && language === "yaml";
            expect([page, language, programs.some((text) => /region_?code/i.test(text))]).toEqual([
                page,
                language,
                !isOfCopy,
            ]);
        }
    }
    const [program = ""] = blocksOf("docs/restore.md#the-program", ["ts"]).map(({ text }) => text);
    expect(/const settings[^]*?^};/m.exec(program)?.[0]).not.toContain("regionCode:");
});

test.each(["ts", "python", "yaml"])(
    "the copy of docs/restore.md in %s declares what the database of docs/production.md declares, and a fork for the region",
    (language) => {
        const section = language === "yaml" ? "in-yaml" : "the-program";
        const inputsOf = (page: string) => {
            const [program = ""] = blocksOf(page, [language]).map(({ text }) =>
                text.replace(/^config:\n( .*\n)+/m, ""),
            );
            const names =
                program.match(/^\s+(\w+)(?=[:=] ?.*(config|environment|PROD|sslMode|verify|ORDERS|\$\{))/gim) ?? [];
            const known = Object.keys(Service.fields);
            const camel = (name: string) => name.trim().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
            return [...new Set(names.map(camel))]
                .filter((name) => known.includes(name) && !/^(fork|regionCode|serviceId)$/.test(name))
                .sort();
        };
        const declared = inputsOf("docs/production.md#stacks");
        expect(declared).toEqual([
            "cpuMillis",
            "environment",
            "passwordVariable",
            "passwordVersion",
            "replicaCount",
            "sslMode",
        ]);
        expect(inputsOf(`docs/restore.md#${section}`)).toEqual(declared);
    },
);

test("the end of a trial unsets each variable that the README sets, and a setting of one stack names it", () => {
    const trial = [...linesOf("README.md#start-a-project").matchAll(/(?<=^export .*)\b[A-Z_]+(?==)/gm)];
    const names = trial.map(([name]) => name);
    expect(names).toHaveLength(5);
    const [forget = "", configure = ""] = shellBlocksOf("docs/production.md#stacks");
    const script = [...names.map((name) => `export ${name}=try`), forget, "env"].join("\n");
    expect(execFileSync("bash", ["--norc", "-ec", script], { env: {}, encoding: "utf8" })).not.toMatch(/=try$/m);
    const [, ofOneStack = ""] = configure.split(/^done$/m);
    const lines = ofOneStack.trim().split("\n");
    expect(lines.filter((line) => !/ --stack \w+$/.test(line))).toEqual([]);
});

test("a command of the archive has its folder, or a link to it, because no PATH contains it", () => {
    const sentences = currentPages.flatMap(
        (page) => read(page).match(/[^\n]{0,40}`pulumi-resource-clouddb [a-z][^\n]*/g) ?? [],
    );
    expect(
        sentences.filter((sentence) => !sentence.includes("[`pulumi-resource-clouddb emulator`](languages.md")),
    ).toEqual([]);
    const commands = currentPages.flatMap((page) => read(page).match(/~\/\S+\/pulumi-resource-clouddb [a-z-]+/g) ?? []);
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((command) => !command.includes(`/resource-clouddb-v${version}/`))).toEqual([]);
});

test("the program of production without the database of prod is a program", () => {
    const [program = ""] = blocksOf("docs/production.md#stacks", ["ts"]).map(({ text }) => text);
    const [item = ""] = /^- \*\*TypeScript\*\*: first .*$/m.exec(read("docs/deletion.md")) ?? [];
    const [unprotect = "", condition = "", creation = "", access = "", old = ""] = [...item.matchAll(/`([^`]+)`/g)].map(
        ([, code = ""]) => code,
    );
    const first = program.replace("\n});", `\n  ${unprotect},\n});`);
    const second = program.replace(creation, condition + creation).replaceAll(` ${old}`, ` ${access}`);
    expect([first, second].map((text) => text === program)).toEqual([false, false]);
    expect(second.match(/orders\?\./g)).toHaveLength(3);
    for (const text of [first, second]) {
        expect(transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
    }
});

test("no command of a page has a secret, which the history of a shell would contain", () => {
    const commands = pages.flatMap((page) => [...read(page).matchAll(/pulumi config set --secret [^`\n]*/g)]);
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter(([command]) => / --secret \S+ +\S/.test(command))).toEqual([]);
});

test("an upgrade keeps the lines of up.yml that are marked as the user's own", () => {
    expect(read("examples/workflows/up.yml")).toContain("# own:");
    expect(read("docs/changes.md#upgrade")).toMatch(/Copy the workflows again.*`own:`/);
});

test("the pages say for each system of the pipeline whether somebody has seen the tests there", () => {
    const { jobs } = parse(read(".github/workflows/check.yml")) as {
        jobs: { unit: { strategy: { matrix: { os: string[] } } } };
    };
    const names = { ubuntu: "Linux", macos: "macOS", windows: "Windows" };
    const systems = Object.entries(names).filter(([name]) =>
        jobs.unit.strategy.matrix.os.some((os) => os.startsWith(name)),
    );
    expect(systems).toHaveLength(3);
    const [support = ""] = /^The package is tested .*$/m.exec(read("README.md")) ?? [];
    expect(systems.filter(([, name]) => !support.includes(name))).toEqual([]);
});

test("the page of limits lists each operation of the API once", () => {
    const listed = [...read("docs/limits.md#operations").matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual(Object.keys(operations).sort());
});

test("what PostgreSQL does with a synchronous replica is not said of the API", () => {
    const sentences = [...pages, "examples/production/index.ts"].flatMap(
        (page) => read(page).match(/[^.\n]*\ba commit\b[^.\n]*/gi) ?? [],
    );
    expect(sentences).toHaveLength(2);
    expect(sentences.filter((sentence) => !sentence.includes("PostgreSQL"))).toEqual([]);
});

test("the cases of a refused run name a message of their own, and the way to deleted data", () => {
    const rowOf = (begin: string) => refusedCases.find(([name]) => name?.startsWith(begin)) ?? [];
    const [, messages] = rowOf("`--replace`, `replaceOnChanges`");
    expect(read("sdk/nodejs/host.ts")).toContain("cannot have the option replaceOnChanges");
    expect(messages?.split(", ")).toContain("own");
    expect(rowOf("deleted outside of Pulumi")[2]).toContain("restore.md#a-deleted-database");
});

test("a rejected token is that of the last update only if the stack configuration has it", () => {
    const [item = ""] =
        /^- `pulumi destroy`, `pulumi refresh`.*$/m.exec(read("docs/troubleshooting.md#rejected-requests")) ?? [];
    expect(item).toMatch(/stack configuration.*environment variable/);
});

test("the README shows the end of the quickstart as its script prints it", () => {
    const block = blocksOf("README.md#try-it", ["text"])[0]?.text ?? "";
    const [, steps = ""] = block.split("Next steps:\n");
    const script = ["scripts/quickstart.mjs", "scripts/quickstart/rows.mjs"].map((file) => read(file)).join("\n");
    const shown = steps.split("\n").map((line) => line.split(" http")[0] ?? "");
    expect(shown).toHaveLength(4);
    expect(shown.filter((line) => !script.includes(line))).toEqual([]);
    expect(script).toContain("and read it from the replica set");
});

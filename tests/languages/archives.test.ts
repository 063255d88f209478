import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { version } from "../../package.json";
import type { Emulator } from "../../emulator";
import schema from "../../provider/hosts/native/schema.gen.json";
import { buildArchives, thisPlatform } from "../support/archives";
import { startFastEmulator } from "../support/engine";
import { newFolder } from "../support/folder";
import { serve } from "../support/loopback";
import { runShell } from "../support/project";
import { shellBlocksOf } from "../support/documents";
import { scriptOf } from "../support/workflows";
import { goCaches } from "./firstProject";
import { root, type Language } from "./language";
import { newUser, pathWithoutNode } from "./withoutNode";

// The archives on a static file server, for users without Node.js.

const nameOf = (platform: string) => `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`;

let archives: Record<string, string> = {};
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
    archives = await buildArchives(thisPlatform);
});

beforeEach(async () => {
    server = await serve((response, { url }) => {
        const file = Object.values(archives).find((one) => basename(one) === url.slice(1));
        const content = file === undefined ? Buffer.from("") : readFileSync(file);
        // Pulumi rejects an archive without a content-length.
        response.writeHead(file === undefined ? 404 : 200, { "content-length": content.length }).end(content);
    });
});

const address = () => `http://${server.host}`;
const requested = () => server.received.map(({ url }) => url);

/** A project of a user without Node.js, from a template of the repository. */
interface UserProject {
    readonly folder: string;
    readonly emulator: Emulator;
    /** Runs shell lines with a PATH without Node.js. */
    readonly shell: (...lines: readonly string[]) => Promise<string>;
}

/** Undefined if the tools of the language are missing. */
async function newProject(language: Language, packages = ""): Promise<UserProject | undefined> {
    const path = pathWithoutNode(language);
    if (path === undefined) {
        return undefined;
    }
    const emulator = await startFastEmulator({ speed: 10 });
    const folder = join(newFolder(), "shop");
    cpSync(join(root, "examples", "templates", language), folder, { recursive: true });
    const edit = (file: string, change: (text: string) => string) =>
        writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
    edit("Pulumi.yaml", (text) =>
        text.replace(/^packages:\n.*\n/m, packages).replace(/\$\{(PROJECT|DESCRIPTION)\}/g, "shop"),
    );
    if (language === "go") {
        edit("go.mod", (text) => text.replace("${PROJECT}", "shop"));
    }
    mkdirSync(join(folder, "state"));
    const env = {
        // The language host that Go can build ignores the option `virtualenv` of Pulumi.yaml.
        ...newUser([join(folder, "venv", "bin"), join(folder, "bin"), path].join(delimiter)),
        ...goCaches(),
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
        CLOUDDB_BASE_URL: emulator.url,
        CLOUDDB_PROJECT_ID: emulator.projectId,
        CLOUDDB_ACCESS_TOKEN: emulator.token,
    };
    const shell = (...lines: readonly string[]) => runShell(["! command -v node", ...lines].join("\n"), folder, env);
    return { folder, emulator, shell };
}

const install = () => `pulumi plugin install resource clouddb ${version} --server ${address()}`;
const initialize = "pulumi stack init test && pulumi config set clouddb:deletionProtection false";

const pluginFile = `~/.pulumi/plugins/resource-clouddb-v${version}/pulumi-resource-clouddb`;

test.each([
    ["yaml", `clouddb@${version}`],
    ["python", pluginFile],
    ["go", pluginFile],
] as const)(
    "without Node.js, a project in %s installs the plugin from the server, adds the package, imports, survives Ctrl-C and is destroyed",
    async (language, packageToAdd) => {
        const project = await newProject(language);
        if (project === undefined) {
            return;
        }
        const { emulator, shell, folder } = project;

        await shell(initialize, install(), `pulumi package add ${packageToAdd}`, "pulumi install");
        expect(requested()).toEqual([`/${nameOf(thisPlatform)}`]);
        expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toContain(`clouddb@${version}`);

        // A job of the shell, to which a terminal would send the signal, like the plugin, which Pulumi starts.
        const printed = await shell(
            "pulumi up --yes --skip-preview --non-interactive > up.log & up=$!",
            'until grep -q CONFIGURING up.log; do sleep 0.05; done; kill -INT -- "-$up"',
            "! wait $up",
            "cat up.log",
        );
        expect(printed).toMatch(/cancelled/);
        await shell("pulumi up --yes --skip-preview", "pulumi preview --expect-no-changes");
        expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
        expect(emulator.journal().filter(({ operationId }) => operationId === "createService")).toHaveLength(1);

        const { id: vpc } = await emulator.createVpc();
        const code = await shell(`pulumi import clouddb:index:Vpc network ${vpc} --yes --protect=false`);
        expect(code).toMatch(/cidr/i);
        await shell("pulumi destroy --yes --skip-preview");
        expect(emulator.snapshot().vpcs.map(({ id }) => id)).not.toContain(vpc);
    },
);

/** Makes a program say from where Pulumi downloads the plugin. Returns the commands that an SDK needs. */
const withAddress: Readonly<Record<string, (folder: string) => readonly string[]>> = {
    "the options of a resource": (folder) => {
        const file = join(folder, "Pulumi.yaml");
        const options = `      version: ${version}\n      pluginDownloadURL: "${address()}"`;
        writeFileSync(file, readFileSync(file, "utf8").replace(/^ {4}options:$/m, `$&\n${options}`));
        return [];
    },
    "the SDK": (folder) => {
        // As CLOUDDB_PLUGIN_DOWNLOAD_URL writes it.
        writeFileSync(join(folder, "schema.json"), JSON.stringify({ ...schema, pluginDownloadURL: address() }));
        return ["pulumi package add ./schema.json", "pulumi install"];
    },
};

test.each([
    ["the options of a resource", "yaml"],
    ["the SDK", "python"],
    ["the SDK", "go"],
] as const)("Pulumi downloads the plugin from the address in %s: %s", async (place, language) => {
    const project = await newProject(language);
    if (project === undefined) {
        return;
    }
    const { emulator, shell, folder } = project;

    await shell(initialize, ...(withAddress[place]?.(folder) ?? []), "pulumi up --yes --skip-preview");

    expect(requested()).toContain(`/${nameOf(thisPlatform)}`);
    expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
});

test("the workflows for Python write the plan and deploy with the archive in the repository, without Node.js", async () => {
    const project = await newProject("python", `packages:\n  clouddb: clouddb@${version}\n`);
    if (project === undefined) {
        return;
    }
    const { shell, folder, emulator } = project;
    mkdirSync(join(folder, "plugins"));
    const archive = archives[thisPlatform] ?? "";
    // The runners of the workflows.
    cpSync(archive, join(folder, "plugins", basename(archive).replace(thisPlatform, "linux-amd64")));
    const lines = (file: string, ...steps: string[]) =>
        `(${steps.map((step) => scriptOf(`python/${file}`, step)).join("\n")})`;
    const variables = "export GITHUB_STEP_SUMMARY=summary.md CLOUDDB_ACCESS_TOKEN=";

    await shell(initialize, variables, lines("preview.yml", "Install", "Preview"));
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toMatch(/^1 create/m);

    await shell(lines("up.yml", "Up"));
    expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
    expect(requested()).toEqual([]);
});

/** The documented lines that replace the archive in a repository. */
const [replace = ""] = shellBlocksOf("docs/changes.md#upgrade").filter((lines) =>
    lines.startsWith("git rm --quiet plugins/"),
);

test("the documented upgrade removes the old archive, installs the new one, and changes no database", async () => {
    const older = "0.1.9";
    const project = await newProject("yaml", `packages:\n  clouddb: clouddb@${older}\n`);
    if (project === undefined) {
        return;
    }
    const { shell, folder, emulator } = project;
    const archive = archives[thisPlatform] ?? "";
    const plugins = join(folder, "plugins");
    const nameFor = (number: string) => `pulumi-resource-clouddb-v${number}-linux-amd64.tar.gz`;
    mkdirSync(plugins);
    // The same program under two numbers: what is upgraded is the repository.
    cpSync(archive, join(plugins, nameFor(older)));
    cpSync(archive, join(folder, "..", nameFor(version)));
    mkdirSync(join(folder, ".github", "workflows"), { recursive: true });
    await shell(
        "git init --quiet && git config user.name us && git config user.email us@example.com",
        `pulumi plugin install resource clouddb ${older} --file plugins/${nameFor(older)}`,
        `${initialize} && pulumi up --yes --skip-preview`,
        "git add plugins Pulumi.yaml && git commit --quiet --message before",
    );
    const blocks = shellBlocksOf("docs/changes.md#upgrade");
    const workflows = blocks.at(-1) ?? "";
    expect(workflows).toContain("examples/workflows/python");
    emulator.clearJournal();

    await shell(replace, workflows, "pulumi preview --expect-no-changes", "pulumi up --yes --skip-preview");

    expect(readdirSync(plugins)).toEqual([nameFor(version)]);
    expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toContain(`clouddb@${version}`);
    expect(readdirSync(join(folder, ".github", "workflows")).sort()).toEqual(["drift.yml", "preview.yml", "up.yml"]);
    expect(emulator.changes()).toEqual([]);
    // The job of the pipeline, with one archive.
    await shell(`(${scriptOf("python/preview.yml", "Install")})`);
});

test("the documented upgrade also replaces a plugin of the same number, and prints its commit", async () => {
    const project = await newProject("yaml", `packages:\n  clouddb: clouddb@${version}\n`);
    if (project === undefined) {
        return;
    }
    const { shell, folder } = project;
    const archive = archives[thisPlatform] ?? "";
    const name = `pulumi-resource-clouddb-v${version}-linux-amd64.tar.gz`;
    const older = join(newFolder(), "older");
    mkdirSync(older);
    execFileSync("tar", ["-xzf", archive, "-C", older]);
    writeFileSync(join(older, "commit.txt"), "of last month\n");
    mkdirSync(join(folder, "plugins"));
    execFileSync("tar", ["-czf", join(folder, "plugins", name), "-C", older, "."]);
    cpSync(archive, join(folder, "..", name));
    const before = await shell(
        "git init --quiet && git config user.name us && git config user.email us@example.com",
        `pulumi plugin install resource clouddb ${version} --file plugins/${name}`,
        "git add plugins Pulumi.yaml && git commit --quiet --message before",
        `${pluginFile} --version`,
        // What made an upgrade of the same number necessary to test: no error, and no effect.
        `pulumi plugin install resource clouddb ${version} --file ../${name} && ${pluginFile} --version`,
    );
    expect(before.match(/ of last month$/gm)).toHaveLength(2);

    const printed = await shell(replace);

    expect(printed).toMatch(new RegExp(`^${version} [0-9a-f]{12}( with local changes)?$`, "m"));
    // The job of the pipeline, on a runner that has kept another plugin.
    const after = await shell(
        `echo "of a runner" > ${dirname(pluginFile)}/commit.txt`,
        `(${scriptOf("python/preview.yml", "Install")})`,
        `${pluginFile} --version`,
    );
    expect(after).not.toContain("of a runner");
});

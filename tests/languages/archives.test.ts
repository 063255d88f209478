import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { version } from "../../package.json";
import { removeStacks, startFastEmulator, workDir } from "../support/engine";
import { Project, pathWith, removeProjects, run, root } from "./language";

const path = pathWith("yaml");
const test = path === undefined ? it.skip : it;

let archives = "";
let server: Server;
let requested: string[] = [];

beforeAll(async () => {
    archives = workDir();
    await run(process.execPath, [join(root, "scripts", "run.mjs"), "plugin", archives], { cwd: root });
    server = createServer(({ url = "" }, response) => {
        requested.push(url);
        const known = readdirSync(archives).includes(url.slice(1));
        response.writeHead(known ? 200 : 404).end(known ? readFileSync(join(archives, url)) : undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

beforeEach(() => {
    requested = [];
});

afterAll(async () => {
    server.close();
    removeProjects();
    await removeStacks();
});

const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A program that names no folder of the plugin. */
async function projectWithoutPath(options = "", env: NodeJS.ProcessEnv = {}): Promise<Project> {
    const emulator = await startFastEmulator();
    const edit = (text: string) =>
        text
            .replace(/^plugins:\n(?: .*\n)*/m, "")
            .replace(/^ {4}type: clouddb:.*$/gm, (line) => `${line}\n    options: { version: ${version}${options} }`);
    return Project.create("examples/yaml", "yaml", path ?? "", emulator, { edit, env });
}

test("a server of static files is enough to install the plugin", async () => {
    const project = await projectWithoutPath();

    await project.pulumi("plugin", "install", "resource", "clouddb", version, "--server", urlOf());

    expect(requested).toEqual([`/pulumi-resource-clouddb-v${version}-${platform()}.tar.gz`]);
    await project.up();
    await project.pulumi("destroy", "--yes", "--skip-preview");
});

test("an archive is enough to install the plugin", async () => {
    const project = await projectWithoutPath();
    const archive = join(archives, `pulumi-resource-clouddb-v${version}-${platform()}.tar.gz`);

    await project.pulumi("plugin", "install", "resource", "clouddb", version, "--file", archive);

    expect(JSON.parse(await project.pulumi("package", "get-schema", `clouddb@${version}`))).toMatchObject({
        name: "clouddb",
        version,
    });
});

test("the plugin is downloaded if a program names the address", async () => {
    const project = await projectWithoutPath(`, pluginDownloadURL: "${urlOf()}"`, {
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
    });

    await project.up();

    expect(requested).toContain(`/pulumi-resource-clouddb-v${version}-${platform()}.tar.gz`);
    await project.pulumi("destroy", "--yes", "--skip-preview");
});

test("there is an archive for each platform of Pulumi, with the same content", () => {
    const names = readdirSync(archives);

    expect(names.map((name) => name.replace(/^pulumi-resource-clouddb-v[\d.]+-|\.tar\.gz$/g, "")).sort()).toEqual([
        "darwin-amd64",
        "darwin-arm64",
        "linux-amd64",
        "linux-arm64",
        "windows-amd64",
        "windows-arm64",
    ]);
    expect(new Set(names.map((name) => readFileSync(join(archives, name)).toString("base64"))).size).toBe(1);
});

/** In the names of Go, which Pulumi uses. */
function platform(): string {
    return `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
}

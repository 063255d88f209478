import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { version } from "../../package.json";
import { removeStacks, startFastEmulator, workDir } from "../support/engine";
import { run } from "../support/command";
import { Project, pathWith, root } from "./language";

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
        const content = known ? readFileSync(join(archives, url)) : Buffer.from("");
        // Pulumi rejects an archive without a content-length.
        response.writeHead(known ? 200 : 404, { "content-length": content.length }).end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

beforeEach(() => {
    requested = [];
});

afterAll(async () => {
    server.close();
    await removeStacks();
});

const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const withoutFolder = (text: string) => text.replace(/^plugins:\n(?: .*\n)*/m, "");

/** A YAML project that does not set the folder of the plugin. */
async function yamlProject(): Promise<Project> {
    const emulator = await startFastEmulator();
    const edit = (text: string) =>
        withoutFolder(text).replace(
            /^ {4}type: clouddb:.*$/gm,
            (line) => `${line}\n    options: { version: ${version} }`,
        );
    return Project.create("examples/yaml", "yaml", path ?? "", emulator, { edit });
}

/** Generates the SDK for Python with this download address of the plugin. Returns its folder. */
async function pythonSdkFor(address: string, generator: string): Promise<string> {
    const folder = workDir();
    const file = join(root, "provider", "hosts", "native", "schema.gen.json");
    const schema = { ...(JSON.parse(readFileSync(file, "utf8")) as object), pluginDownloadURL: address };
    writeFileSync(join(folder, "schema.json"), JSON.stringify(schema));
    const args = ["sdk", join(folder, "schema.json"), `python=${join(folder, "sdk")}`];
    await run("pulumi-clouddb-languages", args, { cwd: folder, env: { ...process.env, PATH: generator } });
    copyFileSync(join(root, "sdk", "python", "README.md"), join(folder, "sdk", "README.md"));
    return join(folder, "sdk");
}

test("the plugin can be installed from a static file server", async () => {
    const project = await yamlProject();

    await project.pulumi("plugin", "install", "resource", "clouddb", version, "--server", urlOf());

    expect(requested).toEqual([`/pulumi-resource-clouddb-v${version}-${platform()}.tar.gz`]);
    await project.up();
    await project.pulumi("destroy", "--yes", "--skip-preview");
});

test("the plugin can be installed from an archive", async () => {
    const project = await yamlProject();
    const archive = join(archives, `pulumi-resource-clouddb-v${version}-${platform()}.tar.gz`);

    await project.pulumi("plugin", "install", "resource", "clouddb", version, "--file", archive);

    expect(JSON.parse(await project.pulumi("package", "get-schema", `clouddb@${version}`))).toMatchObject({
        name: "clouddb",
        version,
    });
});

const pythonPath = pathWith("python");
const generator = pathWith("codegen");

(pythonPath === undefined || generator === undefined ? it.skip : it)(
    "Pulumi downloads the plugin from the address in the SDK",
    async () => {
        const sdk = await pythonSdkFor(urlOf(), generator ?? "");
        const edit = (text: string) => withoutFolder(text).replace(/^.*\/sdk\/python$/m, sdk);
        const env = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" };
        const emulator = await startFastEmulator();
        const options = { edit, env, ownPackages: true };
        const project = await Project.create("examples/python", "python", pythonPath ?? "", emulator, options);

        await project.up();

        expect(requested).toContain(`/pulumi-resource-clouddb-v${version}-${platform()}.tar.gz`);
        await project.pulumi("destroy", "--yes", "--skip-preview");
    },
);

test("there is an archive for each platform of Pulumi", () => {
    const names = readdirSync(archives);

    expect(names.map((name) => name.replace(/^pulumi-resource-clouddb-v[\d.]+-|\.tar\.gz$/g, "")).sort()).toEqual([
        "darwin-amd64",
        "darwin-arm64",
        "linux-amd64",
        "linux-arm64",
        "windows-amd64",
        "windows-arm64",
    ]);
});

/** The platform in the notation of Go, which Pulumi uses. */
function platform(): string {
    return `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
}

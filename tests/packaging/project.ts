import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import type { JournalEntry, Snapshot } from "../../emulator";
import { run } from "../support/command";
import { root } from "../support/documents";
import { newFolder } from "../support/folder";
import { userEnvironment } from "./folder";

export type Host = "dynamic" | "plugin";

/** The program: TypeScript, or JavaScript as one of the two kinds of modules. */
export type Language = "ts" | "commonjs" | "module";

const token = "packaging-token";
const projectId = "packaging1";

const resources = `
const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const orders = new clouddb.Service("orders", {
    regionCode: "us-east-1",
    cpuMillis: 500,
    memoryGbs: 2,
    vpcId: network.vpcId,
});
`;

/**
 * A new folder, and the environment of a user who has these npm packages and this version of Pulumi, by default that of the
 * tests. All files of the user are in the folder.
 */
export async function newUser(
    packages: readonly string[],
    cli?: string,
): Promise<{ folder: string; env: NodeJS.ProcessEnv }> {
    const folder = newFolder();
    mkdirSync(join(folder, "state"));
    const env: NodeJS.ProcessEnv = {
        ...userEnvironment(),
        PULUMI_HOME: join(folder, "home"),
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "packaging",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        NO_PROXY: "127.0.0.1,localhost",
        no_proxy: "127.0.0.1,localhost",
        // The cache of the user would return an earlier package with the same name.
        YARN_CACHE_FOLDER: join(folder, "yarn-cache"),
        YARN_ENABLE_TELEMETRY: "0",
        YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    };
    env.PATH = await pathWith(packages, folder, env);
    if (cli !== undefined) {
        env.PATH = `${await engineFolder(cli)}${delimiter}${env.PATH ?? ""}`;
        expect(await run("pulumi", ["version"], { cwd: folder, env })).toContain(cli);
    }
    return { folder, env };
}

/** The folder with this version of Pulumi. The first call builds it, which takes minutes. */
export const engineFolder = async (version: string): Promise<string> => {
    const setup = [join(root, "scripts", "engine", "setup.mjs")];
    const env = { ...process.env, CLOUDDB_PULUMI: version };
    return (await run(process.execPath, setup, { cwd: root, env })).trim();
};

/** The PATH with these npm packages. The running version of Node needs no installation. */
async function pathWith(packages: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
    const [running] = process.versions.node.split(".");
    const missing = packages.filter((name) => name !== `node@${running}`).map((name) => `--package=${name}`);
    const args = ["exec", "--yes", "--loglevel=error", ...missing, "-c", "echo $PATH"];
    return missing.length === 0 ? env.PATH : (await run("npm", args, { cwd, env })).trim();
}

/** A project that can use both hosts. */
export const projectOf = (manager: string, plugin = "node_modules/pulumi-clouddb"): string => `name: packaging
runtime:
  name: nodejs
  options:
    packagemanager: ${manager}
plugins:
  providers:
    - name: clouddb
      path: ${plugin}
`;

export function programOf(host: Host, language: Language): string {
    const name = host === "plugin" ? "pulumi-clouddb/native" : "pulumi-clouddb";
    const [imports, exports] =
        language === "commonjs"
            ? [`const clouddb = require("${name}");`, "exports.host ="]
            : [`import * as clouddb from "${name}";`, "export const host ="];
    return `${imports}\n${resources}\n${exports} orders.host;\n`;
}

/** The installed project in this folder creates and deletes its resources on each host, and shows no change in between. */
export async function expectLifeCycle(
    cwd: string,
    env: NodeJS.ProcessEnv,
    language: Language,
    hosts: readonly Host[],
): Promise<void> {
    await withEmulator(cwd, env, async ({ url, read }) => {
        const access = { CLOUDDB_BASE_URL: url, CLOUDDB_PROJECT_ID: projectId, CLOUDDB_ACCESS_TOKEN: token };
        const pulumiRun = (...args: string[]) =>
            run("pulumi", [...args, "--non-interactive"], { cwd, env: { ...env, ...access } });
        const names = async () => {
            const { services, vpcs } = JSON.parse(await read("/_emulator/state")) as Snapshot;
            return [...services, ...vpcs].map(({ name }) => name.replace(/-\w+$/, ""));
        };
        for (const host of hosts) {
            writeFileSync(join(cwd, `index.${language === "ts" ? "ts" : "js"}`), programOf(host, language));
            await pulumiRun("stack", "init", host, "--secrets-provider", "passphrase");
            await pulumiRun("config", "set", "clouddb:deletionProtection", "false");
            await pulumiRun("up", "--yes", "--skip-preview");
            expect(await names()).toEqual(["orders", "network"]);
            await pulumiRun("up", "--yes", "--expect-no-changes");
            const journal = JSON.parse(await read("/_emulator/journal")) as JournalEntry[];
            const changes = journal.filter(({ method }) => method !== "GET").map(({ operationId }) => operationId);
            expect(changes.slice(-3)).toEqual(["createVpc", "createService", "attachToVPC"]);
            const types = stateOf(await pulumiRun("stack", "export")).map(({ type }) => type);
            expect(types).toContain(
                host === "plugin" ? "clouddb:index:Service" : "pulumi-nodejs:dynamic/clouddb:Service",
            );
            await pulumiRun("destroy", "--yes", "--skip-preview");
            expect(await names()).toEqual([]);
        }
    });
}

const stateOf = (exported: string) =>
    (JSON.parse(exported) as { deployment: { resources: readonly { type: string }[] } }).deployment.resources;

/** Runs the emulator of the installed package, and loads its page with all files. */
async function withEmulator(
    cwd: string,
    env: NodeJS.ProcessEnv,
    work: (emulator: { url: string; read: (path: string) => Promise<string> }) => Promise<void>,
): Promise<void> {
    const commands = [cwd, join(cwd, "..")].map((folder) => join(folder, "node_modules", ".bin", "clouddb-emulator"));
    const args = ["--port", "0", "--token", token, "--project", projectId, "--speed", "100"];
    const command = commands.find((file) => existsSync(file)) ?? "";
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    try {
        const line: unknown[] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
        const [, url = ""] = /^LISTENING (\S+)$/.exec(String(line[0])) ?? [];
        expect(url).toMatch(/^http:/);
        const read = async (path: string) => {
            const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
            expect([path, response.status]).toEqual([path, 200]);
            return response.text();
        };
        const files = [...(await read("/")).matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
        expect(files).not.toEqual([]);
        await Promise.all(files.map(read));
        await work({ url, read });
    } finally {
        child.kill();
        await ended;
    }
}

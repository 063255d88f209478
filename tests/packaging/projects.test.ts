import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { JournalEntry, Snapshot } from "../../emulator";
import { run } from "../support/command";
import { newFolder } from "../support/folder";
import { newestPulumi, oldestPulumi, tsconfig } from "./folder";
import { userEnvironment, writeProject } from "./folder";

interface Project {
    readonly manager: string;
    /** The npm package of the package manager; npm comes with Node. */
    readonly install?: string;
    readonly language: "ts" | "js";
    readonly modules: "commonjs" | "module";
    readonly node: number;
    readonly pulumi: string;
    /** The hosts on which the program runs. By default, the dynamic provider. */
    readonly hosts?: readonly Host[];
    readonly settings?: NodeJS.ProcessEnv;
}

type Host = "dynamic" | "plugin";

const usual: Project = { manager: "npm", language: "ts", modules: "commonjs", node: 20, pulumi: oldestPulumi };
const pnpm: Project = { ...usual, manager: "pnpm", install: "pnpm@10" };

const versions = [20, 22, 24].flatMap((node) =>
    [oldestPulumi, newestPulumi].map((pulumi): [string, Project] => [
        `Node ${node}, @pulumi/pulumi ${pulumi}`,
        { ...usual, node, pulumi, hosts: ["dynamic", "plugin"] },
    ]),
);

/** A typical project with each tested combination of versions, and variations of its other properties. */
const projects = {
    ...Object.fromEntries(versions),
    JavaScript: { ...usual, language: "js" },
    "JavaScript, ES modules": { ...usual, language: "js", modules: "module" },
    "TypeScript, ES modules": { ...usual, modules: "module" },
    pnpm,
    // Without hoisting, a package finds only its own dependencies.
    "pnpm without hoisting": { ...pnpm, settings: { npm_config_hoist: "false", PNPM_CONFIG_HOIST: "false" } },
    "yarn 1": { ...usual, manager: "yarn", install: "yarn@1.22.22" },
    "yarn 4": { ...usual, manager: "yarn", install: "@yarnpkg/cli-dist@4" },
    "TypeScript, ES modules, the newest of all": { ...usual, node: 24, pulumi: newestPulumi, modules: "module" },
} satisfies Record<string, Project>;

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

test.each(Object.entries<Project>(projects))(
    "a project creates and deletes resources: %s",
    async (_, { manager, install, language, modules, node, pulumi, hosts = ["dynamic"], settings }) => {
        const folder = newFolder();
        const cwd = join(folder, "project");
        const isTypeScript = language === "ts";
        // The ts-node of Pulumi cannot load ES modules.
        const loader = modules === "module" ? { "ts-node": "^10.9.2" } : {};
        const typed = { "@types/node": `^${node}.0.0`, typescript: "^5.9.3", ...loader };
        const dependencies = { "@pulumi/pulumi": pulumi };
        writeProject(
            cwd,
            { type: modules, dependencies, devDependencies: isTypeScript ? typed : {} },
            {
                "Pulumi.yaml": projectOf(manager),
                [`index.${language}`]: programOf("dynamic", !isTypeScript && modules === "commonjs"),
                ...(isTypeScript ? { "tsconfig.json": tsconfig } : {}),
                // Makes the folder a separate project.
                ...(manager === "yarn" ? { "yarn.lock": "" } : {}),
            },
        );
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
            YARN_NODE_LINKER: "node-modules",
            YARN_ENABLE_TELEMETRY: "0",
            YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
            ...settings,
        };
        env.PATH = await pathWith([`node@${node}`, ...(install ? [install] : [])], cwd, env);
        expect(await run("node", ["--version"], { cwd, env })).toMatch(new RegExp(`^v${node}\\.`));
        await run(manager, ["install"], { cwd, env });

        await withEmulator(cwd, env, async ({ url, read }) => {
            const access = { CLOUDDB_BASE_URL: url, CLOUDDB_PROJECT_ID: projectId, CLOUDDB_ACCESS_TOKEN: token };
            const pulumiRun = (...args: string[]) =>
                run("pulumi", [...args, "--non-interactive"], { cwd, env: { ...env, ...access } });
            const names = async () => {
                const { services, vpcs } = JSON.parse(await read("/_emulator/state")) as Snapshot;
                return [...services, ...vpcs].map(({ name }) => name.replace(/-\w+$/, ""));
            };
            for (const host of hosts) {
                writeFileSync(join(cwd, `index.${language}`), programOf(host, !isTypeScript && modules === "commonjs"));
                await pulumiRun("stack", "init", host, "--secrets-provider", "passphrase");
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
    },
);

/** A project that can use both hosts. */
const projectOf = (manager: string): string => `name: packaging
runtime:
  name: nodejs
  options:
    packagemanager: ${manager}
plugins:
  providers:
    - name: clouddb
      path: node_modules/pulumi-clouddb
`;

const stateOf = (exported: string) =>
    (JSON.parse(exported) as { deployment: { resources: readonly { type: string }[] } }).deployment.resources;

function programOf(host: Host, isCommonJs: boolean): string {
    const name = host === "plugin" ? "pulumi-clouddb/native" : "pulumi-clouddb";
    const [imports, exports] = isCommonJs
        ? [`const clouddb = require("${name}");`, "exports.host ="]
        : [`import * as clouddb from "${name}";`, "export const host ="];
    return `${imports}\n${resources}\n${exports} orders.host;\n`;
}

/** The PATH with these npm packages. The running version of Node needs no installation. */
async function pathWith(packages: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
    const [running] = process.versions.node.split(".");
    const missing = packages.filter((name) => name !== `node@${running}`).map((name) => `--package=${name}`);
    const args = ["exec", "--yes", "--loglevel=error", ...missing, "-c", "echo $PATH"];
    return missing.length === 0 ? env.PATH : (await run("npm", args, { cwd, env })).trim();
}

/** Runs the emulator of the installed package, and loads its page with all files. */
async function withEmulator(
    cwd: string,
    env: NodeJS.ProcessEnv,
    work: (emulator: { url: string; read: (path: string) => Promise<string> }) => Promise<void>,
): Promise<void> {
    const command = join(cwd, "node_modules", ".bin", "clouddb-emulator");
    const args = ["--port", "0", "--token", token, "--project", projectId, "--speed", "100"];
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

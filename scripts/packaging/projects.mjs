/** New projects with the packed package. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { plainEnvironment, providerEnvironment, pulumiEnvironment } from "../lib/environment.mjs";
import { repositoryRoot } from "../lib/repository.mjs";

const { peerDependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const newestPulumi = peerDependencies["@pulumi/pulumi"];
const oldestPulumi = newestPulumi.replace("^", "");
/** `install` is the npm package of the package manager; npm comes with Node. */
const usual = { manager: "npm", language: "ts", modules: "commonjs", node: 20, pulumi: oldestPulumi };
const pnpm = { ...usual, manager: "pnpm", install: "pnpm@10" };

/** One usual project, and variations of each of its properties. */
export const projects = {
    usual,
    javascript: { ...usual, language: "js" },
    "javascript-esm": { ...usual, language: "js", modules: "module" },
    "typescript-esm": { ...usual, modules: "module" },
    pnpm,
    // Without hoisting, a package finds only its own dependencies.
    "pnpm-strict": { ...pnpm, settings: { npm_config_hoist: "false", PNPM_CONFIG_HOIST: "false" } },
    "yarn-1": { ...usual, manager: "yarn", install: "yarn@1.22.22" },
    "yarn-4": { ...usual, manager: "yarn", install: "@yarnpkg/cli-dist@4" },
    "node-22": { ...usual, node: 22 },
    "node-24": { ...usual, node: 24 },
    "newest-pulumi": { ...usual, node: 22, pulumi: newestPulumi },
    "newest-of-all": { ...usual, node: 24, pulumi: newestPulumi, modules: "module" },
};

/** Tools that load TypeScript in their own way. tests/engine/testRunners.test.ts tests jest. */
export const loaders = {
    vitest: { packages: { vitest: "^4.0.0" }, command: ["vitest", "run"] },
    "ts-node": { packages: { "ts-node": "^10.9.0", typescript: "^5.9.0" }, command: ["ts-node", "main.ts"] },
    tsx: { packages: { tsx: "^4.0.0" }, command: ["tsx", "main.ts"] },
    bun: { packages: { bun: "^1.0.0" }, command: ["bun", "main.ts"] },
};

/** Longer than an installation, or a run of Pulumi against a fast emulator. */
const limitMs = 300_000;
const linesShown = 30;
const token = "packaging-token";
const projectId = "packaging1";
/** The requests of `up`, in this order. */
const requests = "createVpc createService attachToVPC";

const resources = `
const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const orders = new clouddb.Service("orders", {
    regionCode: "us-east-1",
    cpuMillis: 500,
    memoryGbs: 2,
    vpcId: network.vpcId,
});
`;
/** Calls a function with an emulator. */
const loaded = `import { getProjects } from "pulumi-clouddb";
import { startEmulator } from "pulumi-clouddb/emulator";

export const done = startEmulator().then(async (emulator) => {
    process.env.CLOUDDB_BASE_URL = emulator.url;
    process.env.CLOUDDB_ACCESS_TOKEN = emulator.token;
    console.log("found " + (await getProjects()).length + " project");
    await emulator.close();
});
`;
const tsconfig = JSON.stringify({
    compilerOptions: { strict: true, target: "es2022", module: "nodenext", moduleResolution: "nodenext" },
});

/** Runs a command as in the user's terminal. Returns its output, which is part of the error if it fails. */
export async function run([file, ...args], { cwd, env = plainEnvironment() }) {
    const options = { cwd, env, extendEnv: false, timeout: limitMs, all: true, stdin: "ignore", reject: false };
    const { failed, stdout, all, shortMessage } = await execa(file, args, options);
    if (failed) {
        throw new Error([shortMessage, ...(all ?? "").trimEnd().split("\n").slice(-linesShown)].join("\n"));
    }
    return stdout;
}

/** Loads the package with a tool. Returns a summary. */
export async function tryLoader({ packages, command }, { folder, tarball }) {
    write(folder, {
        "package.json": JSON.stringify({
            dependencies: { "@pulumi/pulumi": oldestPulumi, "pulumi-clouddb": `file:${tarball}`, ...packages },
            devDependencies: { "@types/node": "^20.0.0" },
        }),
        "tsconfig.json": tsconfig,
        "main.ts": loaded,
        "main.test.ts": 'import { test } from "vitest";\nimport { done } from "./main";\ntest("loads", () => done);\n',
    });
    await run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
    const output = await run(["npx", ...command], { cwd: folder });
    if (!output.includes("found 1 project")) {
        throw new Error(`${command[0]} printed ${JSON.stringify(output)}`);
    }
    return `${command.join(" ")} without configuration`;
}

/** Creates, updates and deletes resources. Returns a summary. */
export async function tryProject(cell, { folder, tarball, enginePath }) {
    const { manager, install, language, modules, node, settings } = cell;
    const cwd = join(folder, "project");
    const state = join(folder, "state");
    write(cwd, filesOf(cell, tarball));
    write(state, {});
    // npm installs the package manager and this version of Node.
    const isOurs = Number(process.versions.node.split(".")[0]) === node;
    const tools = [...(isOurs ? [] : [`node@${node}`]), ...(install ? [install] : [])];
    const flags = tools.map((name) => `--package=${name}`);
    const npm = ["npm", "exec", "--yes", "--loglevel=error", ...flags, "-c", "echo $PATH"];
    const toolEnv = { ...plainEnvironment(), PATH: enginePath };
    const path = tools.length === 0 ? enginePath : await run(npm, { cwd, env: toolEnv });
    const env = {
        ...pulumiEnvironment({ path, home: join(folder, "home"), state, passphrase: "packaging" }),
        // The cache of the user would return an earlier tarball with the same name.
        YARN_CACHE_FOLDER: join(folder, "yarn-cache"),
        YARN_NODE_LINKER: "node-modules",
        YARN_ENABLE_TELEMETRY: "0",
        YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
        ...settings,
    };
    await run([manager, "install"], { cwd, env });
    await withEmulator(cwd, env, async ({ url, get }) => {
        const pulumi = async (words, expected) => {
            const options = { cwd, env: { ...env, ...providerEnvironment({ url, projectId, token }) } };
            await run(["pulumi", ...words.split(" "), "--non-interactive"], options);
            const { services, vpcs } = await get("state");
            if (services.length + vpcs.length !== expected) {
                throw new Error(`After ${words}, the emulator has ${services.length} services, ${vpcs.length} VPCs`);
            }
        };
        await pulumi("stack init test --secrets-provider passphrase", 0);
        await pulumi("up --yes --skip-preview", 2);
        await pulumi("up --yes --expect-no-changes", 2);
        const changes = (await get("journal")).filter(({ method }) => method !== "GET");
        const sent = changes.map(({ operationId }) => operationId).join(" ");
        if (sent !== requests) {
            throw new Error(`The emulator received ${sent}, not ${requests}`);
        }
        await pulumi("destroy --yes --skip-preview", 0);
    });
    const installed = JSON.parse(readFileSync(join(cwd, "node_modules/@pulumi/pulumi/package.json"), "utf8"));
    const running = await run(["node", "--version"], { cwd, env });
    return `${install ?? manager}, ${language}, ${modules}, Node ${running}, Pulumi ${installed.version}`;
}

function filesOf({ language, modules, manager, node, pulumi }, tarball) {
    const isTypescript = language === "ts";
    const isCommonJs = !isTypescript && modules === "commonjs";
    const [imports, exports] = isCommonJs
        ? ['const clouddb = require("pulumi-clouddb");', "exports.host ="]
        : ['import * as clouddb from "pulumi-clouddb";', "export const host ="];
    // Pulumi's bundled ts-node cannot load ES modules.
    const loader = modules === "module" && { "ts-node": "^10.9.2" };
    const manifest = {
        ...{ name: "packaging", private: true, type: modules },
        dependencies: { "@pulumi/pulumi": pulumi, "pulumi-clouddb": `file:${tarball}` },
        devDependencies: isTypescript && { "@types/node": `^${node}.0.0`, typescript: "^5.9.3", ...loader },
    };
    return {
        "Pulumi.yaml": `name: packaging\nruntime:\n  name: nodejs\n  options:\n    packagemanager: ${manager}\n`,
        "package.json": JSON.stringify(manifest),
        [`index.${language}`]: `${imports}\n${resources}\n${exports} orders.host;\n`,
        ...(isTypescript && { "tsconfig.json": tsconfig }),
        // Makes the folder a separate project.
        ...(manager === "yarn" && { "yarn.lock": "" }),
    };
}

function write(folder, files) {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, name), text);
    }
}

/** Runs the command of the installed package, and loads its page with all files. */
async function withEmulator(cwd, env, work) {
    const command = join(cwd, "node_modules", ".bin", "clouddb-emulator");
    const args = ["--port", "0", "--token", token, "--project", projectId, "--speed", "100"];
    const child = execa(command, args, { cwd, env, extendEnv: false, reject: false, buffer: false });
    try {
        const ended = child.then(({ exitCode }) => [`clouddb-emulator ended with exit code ${exitCode}`]);
        const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
        const [, url] = /^LISTENING (\S+)$/.exec(line) ?? [];
        if (!url) {
            throw new Error(line);
        }
        const read = async (path) => {
            const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
            if (!response.ok) {
                throw new Error(`GET ${path} of the emulator failed with ${response.status}`);
            }
            return response.text();
        };
        const files = [...(await read("/")).matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path);
        await Promise.all(files.map(read));
        await work({ url, get: async (name) => JSON.parse(await read(`/_emulator/${name}`)) });
    } finally {
        child.kill();
        await child;
    }
}

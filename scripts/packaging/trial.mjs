/** Runs one cell: a new project with the packed package and its emulator. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { plainEnvironment, providerEnvironment, pulumiEnvironment } from "../lib/environment.mjs";
import { run } from "./run.mjs";

const token = "packaging-token";
const emulatorProject = "packaging1";
/** The requests of `up`, in this order. */
const requests = "createVpc createService attachToVPC";

const declaredResources = `
const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const orders = new clouddb.Service("orders", {
    regionCode: "us-east-1",
    cpuMillis: 500,
    memoryGbs: 2,
    vpcId: network.vpcId,
});
`;

/** The tsconfig.json of Pulumi's template. */
const tsconfig = {
    compilerOptions: {
        strict: true,
        outDir: "bin",
        target: "es2020",
        module: "nodenext",
        moduleResolution: "nodenext",
        sourceMap: true,
        noFallthroughCasesInSwitch: true,
        noImplicitReturns: true,
        forceConsistentCasingInFileNames: true,
    },
    files: ["index.ts"],
};

/** Returns the versions that it ran with. */
export async function tryCell(cell, { folder, tarball, higher, pulumi: pulumiVersions, enginePath }, onStep) {
    const project = join(folder, "project");
    const state = join(folder, "state");
    for (const path of [project, state]) {
        mkdirSync(path, { recursive: true });
    }
    const env = {
        ...pulumiEnvironment({
            path: await pathFor(cell, project, enginePath),
            home: join(folder, "home"),
            state,
            passphrase: "packaging",
        }),
        // The cache of the user would return an earlier tarball with the same name.
        YARN_CACHE_FOLDER: join(folder, "yarn-cache"),
        YARN_NODE_LINKER: "node-modules",
        YARN_ENABLE_TELEMETRY: "0",
        YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
        ...cell.settings,
    };
    const command = (...words) => run(words, { cwd: project, env });
    const pulumi = (...args) => command("pulumi", ...args, "--non-interactive");
    const timed = async (step, work) => {
        const began = Date.now();
        await work();
        onStep(step, `${((Date.now() - began) / 1000).toFixed(1)} s`);
    };
    const install = (file) => {
        writeProject(project, cell, {
            "@pulumi/pulumi": pulumiVersions[cell.pulumi],
            "pulumi-clouddb": `file:${file}`,
        });
        return command(cell.manager, "install");
    };
    const versionOf = (name) =>
        JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8")).version;

    await timed("install", () => install(tarball.file));
    await withEmulator(project, env, async (emulator) => {
        const expect = async (step, resources) => {
            const { changes, resources: actual } = await emulator.status();
            const wrong = resources === 2 ? changes !== requests || actual !== 2 : actual !== resources;
            if (wrong) {
                throw new Error(`After ${step}, the emulator has ${actual} resources and received: ${changes}`);
            }
        };
        Object.assign(env, emulator.settings);
        await emulator.readPage();
        await pulumi("stack", "init", "test", "--secrets-provider", "passphrase");
        await timed("up", () => pulumi("up", "--yes", "--skip-preview"));
        await expect("up", 2);
        await timed("again", () => pulumi("up", "--yes", "--expect-no-changes"));
        await expect("up without changes", 2);
        if (cell.upgrade) {
            await timed("upgrade", async () => {
                await install(higher.file);
                const version = versionOf("pulumi-clouddb");
                if (version !== higher.version) {
                    throw new Error(`${version} is installed after the upgrade`);
                }
                await pulumi("preview", "--expect-no-changes");
                await pulumi("up", "--yes", "--expect-no-changes");
            });
            await expect("the upgrade", 2);
        }
        await timed("destroy", () => pulumi("destroy", "--yes", "--skip-preview"));
        await expect("destroy", 0);
    });
    return { pulumi: versionOf("@pulumi/pulumi"), node: (await command("node", "--version")).slice(1) };
}

/** A PATH with this version of Node and the package manager. npm installs both. */
async function pathFor({ node, managerPackage }, cwd, enginePath) {
    const isOurs = Number(process.versions.node.split(".")[0]) === node;
    const packages = [...(isOurs ? [] : [`node@${node}`]), ...(managerPackage ? [managerPackage] : [])];
    if (packages.length === 0) {
        return enginePath;
    }
    const args = [
        "exec",
        "--yes",
        "--loglevel=error",
        ...packages.map((name) => `--package=${name}`),
        "-c",
        "echo $PATH",
    ];
    return run(["npm", ...args], { cwd, env: { ...plainEnvironment(), PATH: enginePath } });
}

function writeProject(folder, { language, modules, manager, node }, dependencies) {
    const typescript = language === "ts";
    const [imports, exports] =
        typescript || modules === "esm"
            ? ['import * as clouddb from "pulumi-clouddb";', "export const host ="]
            : ['const clouddb = require("pulumi-clouddb");', "exports.host ="];
    const manifest = {
        ...{ name: "packaging", private: true, type: modules === "esm" ? "module" : "commonjs", dependencies },
        // Pulumi's bundled ts-node cannot load ES modules.
        devDependencies: typescript && {
            ...{ "@types/node": `^${node}.0.0`, typescript: "^5.9.3" },
            ...(modules === "esm" && { "ts-node": "^10.9.2" }),
        },
    };
    const files = {
        "Pulumi.yaml": `name: packaging\nruntime:\n  name: nodejs\n  options:\n    packagemanager: ${manager}\n`,
        "package.json": JSON.stringify(manifest),
        [`index.${language}`]: `${imports}\n${declaredResources}\n${exports} orders.host;\n`,
        ...(typescript && { "tsconfig.json": JSON.stringify(tsconfig) }),
        // Makes the folder a separate project.
        ...(manager === "yarn" && { "yarn.lock": "" }),
    };
    for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, name), text);
    }
}

/** Starts the emulator with the command of the installed package. */
async function withEmulator(project, env, work) {
    const command = join(project, "node_modules", ".bin", "clouddb-emulator");
    const args = ["--port", "0", "--token", token, "--project", emulatorProject, "--speed", "100"];
    const child = execa(command, args, { cwd: project, env, extendEnv: false, reject: false, buffer: false });
    const url = await new Promise((resolve, reject) => {
        createInterface(child.stdout).on(
            "line",
            (line) => line.startsWith("LISTENING ") && resolve(line.split(" ")[1]),
        );
        child.then(({ exitCode }) => reject(new Error(`clouddb-emulator ended with exit code ${exitCode}`)));
    });
    const get = async (path) => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(new URL(`/_emulator/${path}`, url), { headers });
        if (!response.ok) {
            throw new Error(`GET ${path} of the emulator failed with ${response.status}`);
        }
        return response.json();
    };
    const readText = async (path) => {
        const response = await fetch(new URL(path, url));
        if (!response.ok) {
            throw new Error(`GET ${path} of the emulator failed with ${response.status}`);
        }
        return response.text();
    };
    try {
        await work({
            readPage: async () => {
                const files = [...(await readText("/")).matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path);
                if (files.length < 3) {
                    throw new Error(`The page of the emulator has only the files ${files.join(" ")}`);
                }
                for (const path of files) {
                    await readText(path);
                }
            },
            settings: providerEnvironment({ url, projectId: emulatorProject, token }),
            status: async () => {
                const [journal, { services, vpcs }] = [await get("journal"), await get("state")];
                const changes = journal.filter(({ method }) => method !== "GET").map(({ operationId }) => operationId);
                return { changes: changes.join(" "), resources: services.length + vpcs.length };
            },
        });
    } finally {
        child.kill();
        await child;
    }
}

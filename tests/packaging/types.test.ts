import { join } from "node:path";
import { run } from "../support/command";
import { newFolder } from "../support/folder";
import { copyPackages, runShell, startOutside } from "../support/project";
import { newestPulumi, writeProject } from "./folder";

// Installs from a local registry, so that `npm test -- docs` can run it too.

/** Uses each entry point. */
const program = `import type * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";
import { startEmulator, type Emulator } from "pulumi-clouddb/emulator";
import * as native from "pulumi-clouddb/native";
import * as provider from "pulumi-clouddb/provider";

const provided = new native.Provider("settings", { projectId: "packaging1" });
const orders = new clouddb.Service("orders", { cpuMillis: 500 });
const other = new native.Service("other", { cpuMillis: 500 }, { provider: provided });
const fork = { serviceId: orders.serviceId, strategy: "NOW" };
export const copies: clouddb.Service[] = [clouddb, native].map(({ Service }) => new Service("copy", { fork }));
export const hosts: pulumi.Output<string>[] = [orders.host, orders.connectionString];
export const port: pulumi.Output<number> = orders.port;
export const services = [orders.serviceId, other.serviceId];
export const start: () => Promise<Emulator> = startEmulator;
export const providers: object = provider;
`;

/** Prints the functions that Pulumi would send to a provider or a callback, with what they load. */
const serialized = `import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";
import * as emulator from "pulumi-clouddb/emulator";
import * as native from "pulumi-clouddb/native";

const functions = [
    () => clouddb.getServices(),
    () => clouddb.CloudDbError,
    () => native.getServices(),
    () => emulator.startEmulator(),
];
Promise.all(functions.map((one) => pulumi.runtime.serializeFunction(one))).then((texts) =>
    console.log(texts.map(({ text }) => text.match(/require\\("[^"]*"\\)/g)?.join()).join("\\n")),
);
`;

const resolutions = [
    { moduleResolution: "node", module: "commonjs", ignoreDeprecations: "5.0" },
    { moduleResolution: "node16", module: "node16" },
    { moduleResolution: "nodenext", module: "nodenext" },
    { moduleResolution: "bundler", module: "esnext" },
];

const folder = newFolder();
const tsc = join("node_modules", "typescript", "bin", "tsc");
const options: { cwd: string; env?: NodeJS.ProcessEnv } = { cwd: folder };

beforeAll(async () => {
    const { user } = await startOutside(newFolder());
    options.env = user;
    const dependencies = { "@pulumi/pulumi": newestPulumi };
    const devDependencies = { "@types/node": "^20.0.0", typescript: "^5.9.0" };
    writeProject(folder, { dependencies, devDependencies }, { "main.ts": program, "serialized.ts": serialized });
    await runShell(`${copyPackages()}\nnpm install --no-fund --loglevel=error`, folder, user);
});
test.each(resolutions)(
    "a strict program for ES2020 that checks the types of packages compiles with moduleResolution $moduleResolution",
    async (settings) => {
        const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
        await run("node", [tsc, "--strict", "--noEmit", "--target", "es2020", ...flags, "main.ts"], options);
    },
);

test.each([[], ["--esModuleInterop"]])(
    "a serialized function requires the entry point that its program imports with `import *`: %j",
    async (...flags) => {
        const common = ["--target", "es2020", "--module", "commonjs", "--outDir", "out"];
        await run("node", [tsc, "--strict", ...common, ...flags, "serialized.ts"], options);
        const required = ["", "", "/native", "/emulator"].map((entry) => `require("pulumi-clouddb${entry}")\n`);
        expect(await run("node", [join("out", "serialized.js")], options)).toBe(required.join(""));
    },
);

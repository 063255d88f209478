/** Tests the packed package with tools that load programs differently: test runners, TypeScript loaders, another runtime. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { run } from "./run.mjs";

/** Calls a function with an emulator, then creates a resource with mocks. */
const program = `import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";
import { startEmulator } from "pulumi-clouddb/emulator";

export async function run(): Promise<string> {
    const emulator = await startEmulator();
    process.env.CLOUDDB_BASE_URL = emulator.url;
    process.env.CLOUDDB_PROJECT_ID = emulator.projectId;
    process.env.CLOUDDB_ACCESS_TOKEN = emulator.token;
    const projects = await clouddb.getProjects();
    await emulator.close();
    await pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => ({ id: name + "-id", state: inputs }),
        call: ({ inputs }) => inputs,
    });
    const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    const vpcId = await new Promise<string>((resolve) => void network.vpcId.apply(resolve));
    return vpcId + " " + projects.length;
}
`;
const result = "network-id 1";
const main = `import { run } from "./program";\nrun().then((text) => console.log(text));\n`;
const test = `import { run } from "./program";\ntest("runs", async () => expect(await run()).toBe("${result}"));\n`;
const javascript = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } }).outputText;

const tsconfig = JSON.stringify({
    compilerOptions: {
        strict: true,
        target: "es2022",
        module: "node16",
        moduleResolution: "node16",
        esModuleInterop: true,
    },
});

export const environments = [
    {
        name: "jest",
        packages: { jest: "^30.0.0" },
        files: {
            "program.test.js": `${javascript}\ntest("runs", async () => expect(await exports.run()).toBe("${result}"));\n`,
        },
        command: ["jest"],
    },
    {
        name: "ts-jest",
        packages: { jest: "^30.0.0", "ts-jest": "^29.4.0", "@types/jest": "^30.0.0", typescript: "^5.9.0" },
        files: {
            "jest.config.js": 'module.exports = { preset: "ts-jest" };\n',
            "program.ts": program,
            "program.test.ts": test,
        },
        command: ["jest"],
    },
    {
        name: "vitest",
        packages: { vitest: "^4.0.0" },
        files: { "program.ts": program, "program.test.ts": `import { expect, test } from "vitest";\n${test}` },
        command: ["vitest", "run"],
    },
    {
        name: "ts-node",
        packages: { "ts-node": "^10.9.0", typescript: "^5.9.0" },
        files: { "program.ts": program, "main.ts": main },
        command: ["ts-node", "main.ts"],
    },
    {
        name: "tsx",
        packages: { tsx: "^4.0.0" },
        files: { "program.ts": program, "main.ts": main },
        command: ["tsx", "main.ts"],
    },
    {
        name: "bun",
        packages: { bun: "^1.0.0" },
        files: { "program.ts": program, "main.ts": main },
        command: ["bun", "main.ts"],
        // Not available on every platform.
        optional: true,
    },
];

/** Returns a summary. */
export async function tryEnvironment({ name, packages, files, command, optional }, { folder, tarball, pulumi }) {
    mkdirSync(folder, { recursive: true });
    const manifest = {
        private: true,
        dependencies: { "@pulumi/pulumi": pulumi.oldest, "pulumi-clouddb": `file:${tarball.file}` },
        devDependencies: { "@types/node": "^20.0.0", ...(!optional && packages) },
        optionalDependencies: optional ? packages : {},
    };
    const written = { "package.json": JSON.stringify(manifest), "tsconfig.json": tsconfig, ...files };
    for (const [file, text] of Object.entries(written)) {
        writeFileSync(join(folder, file), text);
    }
    await run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
    if (optional && !existsSync(join(folder, "node_modules", name))) {
        return `skipped: no ${name} for this platform`;
    }
    const printed = await run(["npx", ...command], { cwd: folder });
    const isTest = Object.keys(files).some((file) => file.includes(".test."));
    if (!isTest && printed.trim() !== result) {
        throw new Error(`${name} printed ${JSON.stringify(printed)}`);
    }
    return `${command.join(" ")} without configuration`;
}

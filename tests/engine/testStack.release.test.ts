import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestStack, startEmulator } from "../../emulator";
import { workDir } from "../support/engine";
import { fromText, installPackage } from "../support/project";

// What only the engine shows: a stack in one call, also if the response to a creation is lost.

/** A project with this program, and its folder. */
function projectWith(program: string): string {
    const own = workDir();
    const folder = join(own, "project");
    mkdirSync(folder);
    installPackage(own);
    fromText(program)(folder);
    return folder;
}

test("a stack in one call deploys a project, also if the response to a creation is lost, and leaves no file", async () => {
    const folder = projectWith(
        `const { Service } = require("pulumi-clouddb"); new Service("orders", { cpuMillis: 500 });`,
    );
    const files = readdirSync(folder);
    await using emulator = await startEmulator({ speed: 100, faults: ["createService#1:reset-after"] });
    {
        await using stack = await createTestStack(emulator, folder);
        const { summary } = await stack.up();
        expect(summary.resourceChanges).toEqual({ create: 2 });
    }
    expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
    // The lost response contained the initial password.
    expect(emulator.changes().map(({ operationId }) => operationId)).toEqual(["createService", "updatePassword"]);
    expect(readdirSync(folder)).toEqual(files);
});

test("test files that run at the same time use one project: each has settings of its own, after those of the project", async () => {
    const folder = projectWith(`
        const pulumi = require("@pulumi/pulumi");
        const config = new pulumi.Config();
        exports.seen = [pulumi.getStack(), config.get("size"), config.get("owner")];
    `);
    const settings = join(folder, "Pulumi.test.yaml");
    const text = "config:\n  tests:size: small\n";
    writeFileSync(settings, text);
    await using emulator = await startEmulator({ speed: 100 });
    const run = async (owner: string) => {
        await using stack = await createTestStack(emulator, folder);
        await stack.setConfig("owner", { value: owner });
        return (await stack.up()).outputs.seen?.value as unknown;
    };
    const owners = ["one", "two", "three"];
    expect(await Promise.all(owners.map(run))).toEqual(owners.map((owner) => ["test", "small", owner]));
    expect(readFileSync(settings, "utf8")).toBe(text);
});

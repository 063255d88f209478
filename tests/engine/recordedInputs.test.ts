import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Service } from "../../sdk/nodejs";
import { failed, host, packageName, removeStacks, startStack } from "../support/engine";
import { fromText, startProject, type CommandRun, type TestProject } from "../support/project";

// What only the engine shows: how it stores inputs that the program no longer declares. It does not know that they were secret.

const limitMs = 120_000;
const password = "canary-password-1";

afterAll(removeStacks);

const program = (args: string, opts = "{}") =>
    `const { Service } = require("${packageName}");\n` +
    `const { initialPassword, connectionString } = new Service("orders", ${args}, ${opts});\n` +
    `module.exports = { initialPassword, connectionString };\n`;

const withPassword = program(JSON.stringify({ regionCode: "us-east-1", password }));
const without = program('{ regionCode: "us-east-1" }');

/** The state, its backups and the history. */
function files({ folder }: TestProject): string {
    const state = join(folder, "..", "state");
    return readdirSync(state, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join("\n");
}

/** Expects no secret in the state, its backups, the history, an export, and the output of these runs. */
async function expectNoSecret(project: TestProject, runs: readonly CommandRun[]): Promise<void> {
    const exported = (await project.pulumi("stack", "export")).stdout;
    const printed = runs.map(({ stdout, stderr }) => stdout + stderr).join("\n");
    const { initialPassword } = (await project.outputs()) as { initialPassword: string };
    expect(initialPassword).toMatch(/\S{8}/);
    const places = Object.entries({ files: files(project), exported, printed });
    const leaks = places.filter(([, text]) => [password, initialPassword].some((secret) => text.includes(secret)));
    expect(leaks.map(([place]) => place)).toEqual([]);
}

test(
    "a refresh writes a removed password nowhere in plain text, neither after an up nor as the first use of a state of version 0.1.0",
    async () => {
        const project = await startProject(fromText(withPassword));
        const runs = [await project.pulumi("up", "--yes", "--skip-preview")];
        project.write(without);
        const removed = await project.pulumi("up", "--yes", "--skip-preview");
        expect(removed.stdout).toMatch(/1 updated/);
        runs.push(removed, await project.pulumi("refresh", "--yes", "--skip-preview"));

        project.write(withPassword);
        project.emulator.clearJournal();
        runs.push(await project.pulumi("up", "--yes", "--skip-preview"));
        expect(project.emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);
        // In a state of version 0.1.0, the list of inputs still contains the removed input.
        const stale = JSON.parse((await project.pulumi("stack", "export")).stdout) as {
            deployment: { resources: { inputs?: Record<string, unknown> }[] };
        };
        for (const { inputs } of stale.deployment.resources) {
            delete inputs?.password;
        }
        writeFileSync(join(project.folder, "stale.json"), JSON.stringify(stale));
        await project.pulumi("stack", "import", "--file", "stale.json");
        project.write(without);

        runs.push(
            await project.pulumi("refresh", "--yes", "--skip-preview"),
            await project.pulumi("preview", "--diff"),
            await project.pulumi("up", "--yes", "--skip-preview"),
        );
        await expectNoSecret(project, runs);
    },
    limitMs,
);

test(
    "a customTimeouts.delete that was added later had no effect on the next destroy",
    async () => {
        const stack = await startStack();
        const program = (opts: { customTimeouts?: { delete: string } }) => () => {
            new Service("orders", { regionCode: "us-east-1" }, opts);
        };
        await stack.up(program({}));
        stack.calls();
        const { operations } = await stack.up(program({ customTimeouts: { delete: "1ms" } }));
        // The engine stores the option, and passes it to the plugin. A dynamic provider has to store it itself.
        expect(operations).toEqual({ orders: host === "native" ? "same" : "update" });
        expect(stack.calls()).toEqual([]);
        const { errors } = await failed(stack.destroy());
        expect(errors.join("\n")).toContain("customTimeouts.delete");
    },
    limitMs,
);

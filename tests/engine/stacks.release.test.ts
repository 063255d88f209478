import { getServices, Service } from "../../sdk/nodejs";
import { host, packageName, secretsProvider, startStack, typeToken } from "../support/engine";
import { fromText, startProject, type TestProject } from "../support/project";

// What only the engine shows: values and resources that pass from stack to stack, and the settings of an inline program.
// tests/unit/docs/pulumiFeatures.test.ts refers to these tests by title.

test("Automation API: functions of an inline program read the config, not envVars", async () => {
    const stack = await startStack();
    const { url, projectId, token } = stack.emulator;
    const results: unknown[] = [];
    const program = async () => {
        new Service("orders");
        results.push(await getServices().catch((error: unknown) => error));
    };
    await stack.preview(program);
    // The engine has the variables and starts the plugin with them.
    const unconfigured = expect.objectContaining({
        message: expect.stringMatching(
            /^No base URL[^]* do not see envVars of the workspace: use stack\.setConfig$/,
        ) as string,
    }) as Error;
    expect(results).toEqual([host === "native" ? [] : unconfigured]);
    results.length = 0;

    await stack.setConfig("clouddb:baseUrl", url);
    await stack.setConfig("clouddb:projectId", projectId);
    await stack.setConfig("clouddb:accessToken", token, true);
    await stack.preview(program);
    expect(results).toEqual([[]]);
});

describe("two stacks", () => {
    let project: TestProject;

    const program = `
const pulumi = require("@pulumi/pulumi");
const { Service } = require("${packageName}");
const owner = process.env.OWNER ?? "test";
const database = pulumi.getStack() === owner ? new Service("orders") : undefined;
const stack = database ? undefined : new pulumi.StackReference("organization/tests/" + owner);
exports.connectionString = database?.connectionString ?? stack?.getOutput("connectionString");
`;
    const up = ["up", "--yes", "--skip-preview", "--stack"];

    beforeAll(async () => {
        project = await startProject(fromText(program));
        await project.pulumi(...up, "test");
        await project.pulumi("stack", "init", "other", "--secrets-provider", secretsProvider);
        await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
        await project.pulumi(...up, "other");
    });

    test("StackReference: a secret output stays secret", async () => {
        const output = (...args: string[]) => project.pulumi("stack", "output", "connectionString", ...args);
        expect((await output("--stack", "other")).stdout.trim()).toBe("[secret]");
        expect((await output("--stack", "other", "--show-secrets")).stdout).toMatch(/^postgres:\/\/tsdbadmin:[^*]+@/);
        expect((await project.pulumi("stack", "export", "--stack", "other")).stdout).not.toContain("postgres://");
    });

    test("state move: the resource stays the same in the other stack", async () => {
        const [service] = project.emulator.snapshot().services;
        const type = typeToken("Service");
        const stacks = ["--source", "organization/tests/test", "--dest", "organization/tests/other"];
        await project.pulumi("state", "move", ...stacks, `urn:pulumi:test::tests::${type}::orders`, "--yes");
        project.emulator.clearJournal();
        project.env({ OWNER: "other" });
        await project.pulumi(...up, "other");
        expect(project.emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);
        expect(project.emulator.snapshot().services).toEqual([service]);
        const state = async (stack: string) => (await project.pulumi("stack", "export", "--stack", stack)).stdout;
        expect(await state("test")).not.toContain(`${type}::orders`);
        expect(await state("other")).toContain(`${type}::orders`);
    });
});

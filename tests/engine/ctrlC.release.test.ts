import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Interceptor } from "../../emulator";
import { fromText, startProject, type TestProject } from "../support/project";

// What only the engine shows: its own reaction to Ctrl-C in a terminal, which sends it to all processes of the run.

let project: TestProject;

const program = `
const { Service } = require("pulumi-clouddb");
const first = new Service("first", { name: "first" });
new Service("second", { name: "second" }, { dependsOn: first });
`;

/** The time until the response to a creation, which the provider also awaits after the first Ctrl-C. */
let responseMs = 0;

const slowly: Interceptor = async ({ operationId }, carryOut) => {
    const answer = await carryOut();
    await sleep(operationId === "createService" ? responseMs : 0);
    return answer;
};

beforeAll(async () => {
    project = await startProject(fromText(program), { durations: { create: 100_000 }, intercept: slowly });
});

/** Runs `pulumi up` and presses Ctrl-C this number of times during the creation of the service. */
async function cancel(name: string, times: number): Promise<{ code: number | null; output: string }> {
    const options = { cwd: project.folder, env: project.environment(), detached: true };
    const child = spawn("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], options);
    let output = "";
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const until = async (holds: () => boolean) => {
        while (!holds() && child.exitCode === null) {
            await sleep(20);
        }
    };
    for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (data: Buffer) => (output += data.toString()));
    }
    const { emulator } = project;
    await until(() => emulator.snapshot().services.some((service) => service.name === name));
    for (let time = 1; time <= times; time++) {
        // A terminal sends the signal to the whole process group.
        process.kill(-(child.pid ?? NaN), "SIGINT");
        await until(() => output.split("^C received").length > time);
    }
    return { code: await ended, output };
}

const exported = async () =>
    JSON.parse((await project.pulumi("stack", "export")).stdout) as {
        deployment: { resources: { urn: string; outputs?: { status?: string } }[]; pending_operations?: object[] };
    };

test("Ctrl-C: the operation in progress ends with its id in the state, no other begins, and the next run resumes", async () => {
    const { code, output } = await cancel("first", 1);
    expect({ code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining("The operation was cancelled.") as string,
    });
    const { deployment } = await exported();
    const [created, ...others] = project.emulator.snapshot().services;
    expect(deployment.resources.at(-1)).toMatchObject({ id: created?.service_id });
    expect(deployment.pending_operations ?? []).toEqual([]);
    expect(others).toEqual([]);
    await project.pulumi("up", "--yes", "--skip-preview", "--target", deployment.resources.at(-1)?.urn ?? "");
});

test("Ctrl-C twice: the run ends at once, and the error of the next one begins with the interruption", async () => {
    responseMs = 5_000;
    expect(await cancel("second", 2)).not.toMatchObject({ code: 0 });
    expect((await exported()).deployment.pending_operations).toHaveLength(1);
    const { stdout } = await project.failing("up", "--yes", "--skip-preview");
    expect(stdout).toContain("interrupted while creating");
    expect(stdout).toMatch(/error: Service "second" already exists/);

    await project.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
    expect((await exported()).deployment.pending_operations ?? []).toEqual([]);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fromText, startProject, type TestProject } from "../support/project";

// What only the engine shows: its own reaction to a second Ctrl-C in a terminal, which sends it to all processes of the run.

const program = `new (require("pulumi-clouddb").Service)("orders", { name: "orders" });`;

/** Runs `pulumi up` and presses Ctrl-C twice before the response to a creation. */
async function cancelTwice(project: TestProject, isSent: () => boolean): Promise<void> {
    const options = { cwd: project.folder, env: project.environment(), detached: true };
    const child = spawn("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], options);
    const ended = once(child, "close");
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (data: Buffer) => (output += data.toString()));
    }
    const until = async (holds: () => boolean) => {
        while (!holds() && child.exitCode === null) {
            await sleep(20);
        }
    };
    await until(isSent);
    for (const time of [1, 2]) {
        // A terminal sends the signal to the whole process group.
        process.kill(-(child.pid ?? NaN), "SIGINT");
        await until(() => output.split("^C received").length > time);
    }
    expect((await ended)[0]).not.toBe(0);
}

test("Ctrl-C twice: the run ends at once, and the next one finds the service instead of creating a second one", async () => {
    let isSent = false;
    const project = await startProject(fromText(program), {
        intercept: async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            if (operationId === "createService") {
                isSent = true;
                await sleep(5_000);
            }
            return answer;
        },
    });
    await cancelTwice(project, () => isSent);
    const pending = async () => {
        const { stdout } = await project.pulumi("stack", "export");
        const { deployment } = JSON.parse(stdout) as { deployment: { pending_operations?: object[] } };
        return deployment.pending_operations ?? [];
    };
    expect(await pending()).toHaveLength(1);
    const [created, ...others] = project.emulator.snapshot().services;
    expect((await project.failing("up", "--yes", "--skip-preview")).stdout).toContain(created?.service_id);
    expect(others).toEqual([]);
    await project.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
    expect(await pending()).toEqual([]);
});

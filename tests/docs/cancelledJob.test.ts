import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { virtualClock } from "../../emulator";
import { kill, processesBelow } from "../support/processes";
import { fromText, startProject } from "../support/project";
import { scriptOf } from "../support/workflows";

// docs/pipelines.md: what GitHub sends if somebody cancels a job, or if it takes longer than six hours, here while a database is
// being created.

const program = `new (require("pulumi-clouddb").Service)("orders", { name: "orders" });`;
const [interruptMs, terminateMs] = [7_500, 2_500];

/** Runs a step as the runner of GitHub does, and cancels it when `isBegun` holds. */
async function cancelled(script: string, cwd: string, env: NodeJS.ProcessEnv, isBegun: () => boolean): Promise<void> {
    writeFileSync(join(cwd, "step.sh"), script);
    const step = spawn("bash", ["-e", "step.sh"], { cwd, env, stdio: "ignore" });
    const ended = once(step, "exit");
    while (!isBegun() && step.exitCode === null) {
        await sleep(20);
    }
    const below = await processesBelow(step.pid);
    // Only the first process of the step gets the signals.
    for (const [signal, ms] of [
        ["SIGINT", interruptMs],
        ["SIGTERM", terminateMs],
    ] as const) {
        step.kill(signal);
        const abort = new AbortController();
        await Promise.race([ended, sleep(ms, undefined, { signal: abort.signal }).catch(() => undefined)]);
        abort.abort();
    }
    kill([...below, { id: step.pid ?? NaN }]);
    await ended;
}

test("a cancelled job keeps the database that is being created in the state, and the next job completes it", async () => {
    const clock = virtualClock();
    const { emulator, environment, folder, pulumi, shell } = await startProject(fromText(program), { clock });
    const script = scriptOf("up.yml", "Up");
    expect(script).toContain("exec pulumi up");

    await cancelled(script, folder, environment(), () => emulator.snapshot().services.length > 0);
    const [created] = emulator.snapshot().services;
    expect(created?.status).not.toBe("READY");
    const { deployment } = JSON.parse((await pulumi("stack", "export")).stdout) as {
        deployment: { resources: { id?: string }[]; pending_operations?: object[] };
    };
    expect(deployment.resources.map(({ id }) => id)).toContain(created?.service_id);
    expect(deployment.pending_operations ?? []).toEqual([]);

    clock.advance(60_000);
    await shell(script);
    expect(emulator.snapshot().services).toMatchObject([{ service_id: created?.service_id, status: "READY" }]);
});

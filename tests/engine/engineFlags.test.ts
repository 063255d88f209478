import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Service } from "../../sdk/nodejs";
import { packageName, startStack } from "../support/engine";
import { fromText, startProject, type Running } from "../support/project";
import { isProvider, kill, processesBelow, type RunningProcess } from "../support/processes";

// With these options, the engine passes flags to the provider, before its address.

test("a preview has the lines of the plan and the warnings, whatever flags the engine passes to the provider", async () => {
    const stack = await startStack();
    const program = (cpuMillis: number) => () => {
        new Service("orders", { cpuMillis });
    };
    await stack.up(program(500));
    const { messages } = await stack.preview(program(1100));
    expect(messages.orders?.join()).toMatch(/cpuMillis 1100 .*1 resize/);

    const tracing = `file:${join(stack.folder, "trace.json")}`;
    const logging = { logFlow: true, logToStdErr: true, logVerbosity: 3 };
    for (const flags of [{ tracing }, logging, { tracing, ...logging }]) {
        const run = await stack.preview(program(1100), flags);
        expect([flags, run.messages]).toEqual([flags, messages]);
    }
});

/** The time that the provider takes to detect that its engine has ended, and to exit. */
const providerEndsMs = 15_000;

test("the provider ends when its engine was killed, also with --tracing", async () => {
    let run: Running | undefined = undefined;
    let left: readonly RunningProcess[] = [];
    const program = `const { Service } = require("${packageName}");\nnew Service("orders");\n`;
    const project = await startProject(fromText(program), {
        intercept: async ({ operationId }, carryOut) => {
            if (operationId === "createService" && run !== undefined && left.length === 0) {
                left = await processesBelow(run.id);
                kill([run]);
            }
            return carryOut();
        },
    });

    run = project.start("up", "--yes", "--tracing", `file:${join(project.folder, "trace.json")}`);
    await run.ended;
    expect(left.filter(isProvider)).not.toEqual([]);

    const running = async () => {
        const now = await processesBelow(1);
        return left.filter(({ id, command }) => now.some((one) => one.id === id && one.command === command));
    };
    for (const deadline = Date.now() + providerEndsMs; (await running()).some(isProvider) && Date.now() < deadline;) {
        await sleep(200);
    }
    const after = await running();
    kill(after);
    expect(after.filter(isProvider)).toEqual([]);
});

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { Service } from "../../sdk/nodejs";
import { packageName, startStack } from "../support/engine";
import { fromText, startProject, type Running } from "../support/project";
import { isProvider, kill, processesBelow, type RunningProcess } from "../support/processes";

// With these options, the engine passes flags to the provider, before its address. CLOUDDB_PROPERTY_RUNS sets the number of random
// ones, and CLOUDDB_SEED the seed.

const runs = Math.ceil(Number(process.env.CLOUDDB_PROPERTY_RUNS ?? 30) / 8);
const seed = Number(process.env.CLOUDDB_SEED ?? 1);

/** Endpoints of traces, which the engine passes as an argument of their own: files, and collectors that do not exist. */
const endpoints = (folder: string) =>
    fc.oneof(
        fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,4})?$/).map((name) => `file:${join(folder, `${name}.json`)}`),
        fc.constantFrom("tcp://127.0.0.1:9", "http://127.0.0.1:9/api/v1/spans"),
    );

/** Any of the options with which a command passes flags. */
const flagsIn = (folder: string) =>
    fc.record(
        {
            tracing: endpoints(folder),
            logFlow: fc.boolean(),
            logToStdErr: fc.boolean(),
            logVerbosity: fc.integer({ min: 1, max: 4 }),
        },
        { requiredKeys: [] },
    );

test("a preview has the lines of the plan and the warnings, whatever flags the engine passes to the provider", async () => {
    const stack = await startStack();
    const program = (cpuMillis: number) => () => {
        new Service("orders", { cpuMillis });
    };
    await stack.up(program(500));
    const { messages } = await stack.preview(program(1100));
    expect(messages.orders?.join()).toMatch(/cpuMillis, read as 1100,.*1 resize/);

    const property = fc.asyncProperty(flagsIn(stack.folder), async (flags) => {
        const run = await stack.preview(program(1100), flags);
        expect(run.messages).toEqual(messages);
    });
    const tracing = `file:${join(stack.folder, "trace.json")}`;
    const all = { tracing, logFlow: true, logToStdErr: true, logVerbosity: 3 };
    await fc.assert(property, { numRuns: runs, seed, examples: [[all]], endOnFailure: true });
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

import fc from "fast-check";
import { inSmallest } from "../support/dialects";
import { runScenario } from "./runScenario";
import { describeScenario, scenarios } from "./scenario";

/** The histories of `npm test`, and the first seed. The same seed and number always mean the same histories. */
const { CLOUDDB_MODEL_RUNS: runs = "40", CLOUDDB_MODEL_SEED: firstSeed = "6" } = process.env;
const batch = 250;
/** Much longer than these histories take, for a busy machine and for shrinking a failing history. */
const limitMs = 10_000 * Math.max(40, Math.min(batch, Number(runs)));

const batches = Array.from({ length: Math.ceil(Number(runs) / batch) }, (_, index) => ({
    seed: Number(firstSeed) + index,
    count: Math.min(batch, Number(runs) - index * batch),
}));

const readable = scenarios.map((scenario) =>
    Object.assign(scenario, { [fc.toStringMethod]: () => `\n${describeScenario(scenario)}\n` }),
);

it.each(batches)(
    "the next run reaches the declared state after any history of programs, faults, kills and manual changes: no loss, no duplicate, no wrong deletion (seed $seed)",
    async ({ seed, count }) => {
        // Errors record 100 frames under jest. Most errors of a history are expected.
        Error.stackTraceLimit = 10;
        const figures = { histories: 0, runs: 0, helped: 0 };
        const details = await fc.check(
            fc.asyncProperty(readable, async (scenario) => {
                const { runs, helped } = await runScenario(scenario);
                figures.histories += 1;
                figures.runs += runs;
                figures.helped += helped;
            }),
            { numRuns: count, seed, interruptAfterTimeLimit: limitMs - 20_000, markInterruptAsFailure: true },
        );
        const [failing] = details.counterexample ?? [];
        if (details.failed) {
            console.error(await fc.asyncDefaultReportMessage(details));
        }
        if (failing) {
            await inSmallest(failing.setting.dialect ?? "", (dialect) =>
                runScenario({ ...failing, setting: { ...failing.setting, dialect } }),
            );
        }
        expect(details.failed).toBe(false);
        console.log(
            `${figures.histories} histories, ${figures.runs} runs, ${figures.helped} resources needed manual steps`,
        );
        expect(figures.histories).toBe(count);
        // Few histories may have none.
        expect(figures.helped).toBeGreaterThanOrEqual(count < 40 ? 0 : 1);
    },
    limitMs,
);

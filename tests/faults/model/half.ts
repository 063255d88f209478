import fc from "fast-check";
import { play } from "./play";
import { describeScenario, kindsOf, scenarios } from "./scenario";

/**
 * `CLOUDDB_MODEL_RUNS=20000 npm test -- tests/faults/model` runs more histories, and CLOUDDB_MODEL_SEED selects others. The
 * last line contains the figures.
 */
const runs = Number(process.env.CLOUDDB_MODEL_RUNS ?? 100);
const seed = Number(process.env.CLOUDDB_MODEL_SEED ?? 6);

const count = Math.ceil(runs / 2);
/** Much longer than the histories take, for a busy machine and for shrinking a failing history. */
const limitMs = 300_000 + count * 2_000;

const readable = scenarios.map((scenario) =>
    Object.assign(scenario, { [fc.toStringMethod]: () => `\n${describeScenario(scenario)}\n` }),
);

/** Jest records 100 frames for each error. Most errors of a history are expected. */
const recordedFrames = 10;

/** Runs one half of the histories, so that two cores share them. */
export function playHalf(half: 0 | 1): void {
    it(
        "the next run reaches the declared state after any history of programs, faults, kills and manual changes: no loss, no duplicate, no wrong deletion",
        async () => {
            Error.stackTraceLimit = recordedFrames;
            const figures = { histories: 0, runs: 0, helped: 0 };
            const kinds = new Map<string, number>();
            await fc.assert(
                fc.asyncProperty(readable, async (scenario) => {
                    const { runs: some, helped } = await play(scenario);
                    figures.histories += 1;
                    figures.runs += some;
                    figures.helped += helped;
                    for (const kind of kindsOf(scenario)) {
                        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
                    }
                }),
                {
                    numRuns: count,
                    seed: seed + half,
                    interruptAfterTimeLimit: limitMs - 20_000,
                    markInterruptAsFailure: true,
                },
            );
            const byKind = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, some]) => `${some} ${kind}`);
            console.log(
                `${figures.histories} histories, ${figures.runs} runs, 0 failures, ` +
                    `${figures.helped} resources needed manual steps; of the histories ${byKind.join(", ")}`,
            );
            expect(figures.helped).toBeGreaterThan(0);
        },
        limitMs,
    );
}

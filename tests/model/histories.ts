import fc from "fast-check";
import { runScenario } from "./runScenario";
import { describeScenario, scenarios } from "./scenario";

/** Random histories. The same seed and number always mean the same histories. */
export interface Histories {
    readonly seed: number;
    readonly count: number;
    readonly limitMs: number;
}

/** The figures of all histories that were run. */
export interface Figures {
    histories: number;
    /** Runs of the engine. */
    runs: number;
    /** Resources that needed manual steps. */
    helped: number;
}

/** Errors record 100 frames under jest. Most errors of a history are expected. */
const recordedFrames = 10;

const readable = scenarios.map((scenario) =>
    Object.assign(scenario, { [fc.toStringMethod]: () => `\n${describeScenario(scenario)}\n` }),
);

/** Runs random histories. Fails with the shortest history that breaks an invariant. */
export async function runHistories({ seed, count, limitMs }: Histories): Promise<Figures> {
    Error.stackTraceLimit = recordedFrames;
    const figures: Figures = { histories: 0, runs: 0, helped: 0 };
    await fc.assert(
        fc.asyncProperty(readable, async (scenario) => {
            const { runs, helped } = await runScenario(scenario);
            figures.histories += 1;
            figures.runs += runs;
            figures.helped += helped;
        }),
        { numRuns: count, seed, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: true },
    );
    return figures;
}

/** The figures as one line. */
export const reportOf = ({ histories, runs, helped }: Figures): string =>
    `${histories} histories, ${runs} runs, 0 failures, ${helped} resources needed manual steps`;

import fc from "fast-check";
import { play } from "./play";
import { describeScenario, scenarios } from "./scenario";

/** `CLOUDDB_MODEL_RUNS=20000 npm test -- tests/faults/model` plays more of them, and CLOUDDB_MODEL_SEED others. */
const runs = Number(process.env.CLOUDDB_MODEL_RUNS ?? 2_000);
const seed = Number(process.env.CLOUDDB_MODEL_SEED ?? 6);

const readable = scenarios.map((scenario) =>
    Object.assign(scenario, { [fc.toStringMethod]: () => `\n${describeScenario(scenario)}\n` }),
);

describe("whatever programs, faults, kills and strangers do", () => {
    it(
        "the next run makes the world what is declared: nothing lost, nothing twice, nothing deleted by mistake",
        async () => {
            let takenOver = 0;
            await fc.assert(
                fc.asyncProperty(readable, async (scenario) => {
                    takenOver += (await play(scenario)).takenOver;
                }),
                { numRuns: runs, seed },
            );
            console.log(`${runs} scenarios, ${takenOver} resources taken over with existingId after a kill`);
            expect(takenOver).toBeGreaterThan(0);
        },
        runs * 100,
    );
});

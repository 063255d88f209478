import fc from "fast-check";
import { play } from "./play";
import { describeScenario, scenarios } from "./scenario";

/** `CLOUDDB_MODEL_RUNS=20000 npm test -- tests/faults/model` plays more of them, and CLOUDDB_MODEL_SEED others. */
const runs = Number(process.env.CLOUDDB_MODEL_RUNS ?? 2_000);
const seed = Number(process.env.CLOUDDB_MODEL_SEED ?? 6);

const count = Math.ceil(runs / 2);

const readable = scenarios.map((scenario) =>
    Object.assign(scenario, { [fc.toStringMethod]: () => `\n${describeScenario(scenario)}\n` }),
);

/** Plays one half of the scenarios, so that two cores share them. */
export function playHalf(half: 0 | 1): void {
    it(
        "whatever programs, faults, kills and strangers do, the next run makes the world what is declared: nothing lost, nothing twice, nothing deleted by mistake",
        async () => {
            let takenOver = 0;
            await fc.assert(
                fc.asyncProperty(readable, async (scenario) => {
                    takenOver += (await play(scenario)).takenOver;
                }),
                { numRuns: count, seed: seed + half },
            );
            console.log(`${count} scenarios, ${takenOver} resources taken over with existingId after a kill`);
            expect(takenOver).toBeGreaterThan(0);
        },
        count * 600,
    );
}

import { host, removeStacks } from "../../support/engine";
import { Ids, difference, isCutShort } from "./compare";
import { historyOf } from "./history";
import { runInModel, type Step } from "./modelRun";
import { startRealRuns } from "./realRun";

/**
 * Runs random histories with the model of the engine and with the real engine, and compares the calls to the provider.
 * CLOUDDB_DIFFERENTIAL_RUNS sets their number and CLOUDDB_DIFFERENTIAL_SEED the first seed, so that several processes can
 * share them.
 */
const runs = Number(process.env.CLOUDDB_DIFFERENTIAL_RUNS ?? 2);
const firstSeed = Number(process.env.CLOUDDB_DIFFERENTIAL_SEED ?? 1);
/** Much longer than a history takes, for a busy machine. */
const limitMs = 60_000 + runs * 60_000;

afterEach(removeStacks);

test(
    "the model calls the provider as the engine does: the same methods, URNs, ids, providers and properties",
    async () => {
        const found: string[] = [];
        const figures = { runs: 0, calls: 0, invalidStates: 0, cutShort: 0, endlessRuns: 0 };
        for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
            const problem = await compare(seed, figures);
            if (problem !== undefined) {
                found.push(problem);
                process.stderr.write(`${problem}\n`);
            }
            await removeStacks();
        }
        const { runs: made, calls, invalidStates, cutShort, endlessRuns } = figures;
        console.log(
            `${runs} histories, ${made} runs, ${calls} calls, ${found.length} differences; ` +
                `${invalidStates} ended with an invalid state of the engine, ${endlessRuns} with a run that the engine does not end, ` +
                `${cutShort} with deletions that the engine left out after a failed one`,
        );
        expect(figures.calls).toBeGreaterThan(runs);
        expect(found).toEqual([]);
    },
    limitMs,
);

/** With `--exclude`, Pulumi can store a resource without the one that it depends on. No later run is possible. */
const isInvalidState = ({ exclude }: Step, output: string) =>
    exclude.length > 0 && output.includes("snapshot integrity failure");

/**
 * With `--continue-on-error`, Pulumi waits forever after a failed deletion that must precede a creation
 * (https://github.com/pulumi/pulumi/issues/16373).
 */
const isEndless = ({ continueOnError }: Step, output: string) =>
    continueOnError && output.includes("**deleting failed**");

/** The first difference in a history. Counts its runs and calls. */
async function compare(
    seed: number,
    figures: Record<"runs" | "calls" | "invalidStates" | "cutShort" | "endlessRuns", number>,
): Promise<string | undefined> {
    const modelled = await runInModel(historyOf(seed, host));
    const runForReal = await startRealRuns();
    const ids = { real: new Ids(), model: new Ids() };
    for (const [index, { step, calls, isFailed, errors }] of modelled.entries()) {
        const real = await runForReal(step, (id) => ids.model.in(ids.real, id));
        figures.runs += 1;
        figures.calls += real.calls.length;
        if (isInvalidState(step, real.output)) {
            figures.invalidStates += 1;
            return undefined;
        }
        if (isCutShort(real.calls, calls)) {
            figures.cutShort += 1;
            return undefined;
        }
        if (real.isCancelled && isEndless(step, real.output)) {
            figures.endlessRuns += 1;
            return undefined;
        }
        const unlike =
            difference(real.calls, calls, ids) ??
            (real.isFailed === isFailed ? undefined : `the run ${isFailed ? "succeeded" : "failed"}`);
        if (unlike !== undefined) {
            const texts = [unlike, "in the model:", ...errors, "in the engine:", real.output];
            return `seed ${seed}, step ${index + 1}: ${JSON.stringify(step)}\n${texts.join("\n")}`;
        }
    }
    return undefined;
}

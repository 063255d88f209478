import { host, removeStacks } from "../../support/engine";
import { Ids, difference } from "./compare";
import { historyOf } from "./history";
import { runInModel } from "./modelRun";
import { RealProject } from "./realRun";

/**
 * Runs random histories with the model of the engine and with the real engine, and compares the calls to the provider.
 * CLOUDDB_DIFFERENTIAL_RUNS sets their number and CLOUDDB_DIFFERENTIAL_SEED the first seed, so that several processes can
 * share them.
 */
const runs = Number(process.env.CLOUDDB_DIFFERENTIAL_RUNS ?? 6);
const firstSeed = Number(process.env.CLOUDDB_DIFFERENTIAL_SEED ?? 1);
/** Much longer than a history takes, for a busy machine. */
const limitMs = 60_000 + runs * 60_000;

afterEach(removeStacks);

test(
    "the model calls the provider as the engine does: the same methods, URNs, ids, providers and properties",
    async () => {
        const found: string[] = [];
        const figures = { runs: 0, calls: 0 };
        for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
            const problem = await compare(seed, figures);
            if (problem !== undefined) {
                found.push(problem);
                process.stderr.write(`${problem}\n`);
            }
            await removeStacks();
        }
        console.log(`${runs} histories, ${figures.runs} runs, ${figures.calls} calls, ${found.length} differences`);
        expect(figures.calls).toBeGreaterThan(runs);
        expect(found).toEqual([]);
    },
    limitMs,
);

/** The first difference in a history. Counts its runs and calls. */
async function compare(seed: number, figures: { runs: number; calls: number }): Promise<string | undefined> {
    const modelled = await runInModel(historyOf(seed, host), host);
    const project = await RealProject.create();
    const ids = { real: new Ids(), model: new Ids() };
    for (const [index, { step, calls, isFailed, errors }] of modelled.entries()) {
        const real = await project.run(step, (id) => ids.model.in(ids.real, id));
        figures.runs += 1;
        figures.calls += real.calls.length;
        const unlike =
            difference(real.calls, calls, ids) ??
            (real.isFailed === isFailed ? undefined : `the run ${isFailed ? "succeeded" : "failed"}:\n${real.output}`);
        if (unlike !== undefined) {
            return `seed ${seed}, step ${index + 1}: ${JSON.stringify(step)}\n${unlike}\n${errors.join("\n")}`;
        }
    }
    return undefined;
}

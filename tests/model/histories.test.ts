import { runHistories, reportOf } from "./histories";

/** The histories of `npm test`, and the number of those for each seed. */
const { CLOUDDB_MODEL_RUNS: runs = "40", CLOUDDB_MODEL_SEED: firstSeed = "6" } = process.env;
const batch = 250;
/** Much longer than these histories take, for a busy machine and for shrinking a failing history. */
const limitMs = 10_000 * Math.max(40, Math.min(batch, Number(runs)));

const batches = Array.from({ length: Math.ceil(Number(runs) / batch) }, (_, index) => ({
    seed: Number(firstSeed) + index,
    count: Math.min(batch, Number(runs) - index * batch),
}));

it.each(batches)(
    "the next run reaches the declared state after any history of programs, faults, kills and manual changes: no loss, no duplicate, no wrong deletion (seed $seed)",
    async (histories) => {
        const figures = await runHistories({ ...histories, limitMs: limitMs - 20_000 });
        console.log(reportOf(figures));
        expect(figures.histories).toBe(histories.count);
        // Few histories may have none.
        expect(figures.helped).toBeGreaterThanOrEqual(histories.count < 40 ? 0 : 1);
    },
    limitMs,
);

import { runHistories, reportOf } from "./histories";

/** The histories of `npm test`. `npm test -- model` runs more. */
const count = 40;
const seed = 6;
/** Much longer than the histories take, for a busy machine and for shrinking a failing history. */
const limitMs = 400_000;

it(
    "the next run reaches the declared state after any history of programs, faults, kills and manual changes: no loss, no duplicate, no wrong deletion",
    async () => {
        const figures = await runHistories({ seed, count, limitMs: limitMs - 20_000 });
        console.log(reportOf(figures));
        expect(figures.helped).toBeGreaterThan(0);
    },
    limitMs,
);

import { playHistories, reportOf } from "./histories";

// A process of `npm run test:model`: plays the histories of its argument, and sends the figures to its parent.

const limitMs = 60 * 60_000;
const job = JSON.parse(process.argv[2] ?? "{}") as { seed: number; count: number };

playHistories({ ...job, limitMs }).then(
    (figures) => process.send?.({ figures: { ...figures, report: reportOf(figures) } }),
    (error: Error) => process.send?.({ error: `seed ${job.seed}: ${error.message}\n${String(error.cause)}` }),
);

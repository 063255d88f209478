import { runHistories, reportOf } from "./histories";

// A process of `npm test -- model`: runs the histories of its argument, and sends the figures to its parent.

const limitMs = 60 * 60_000;
const job = JSON.parse(process.argv[2] ?? "{}") as { seed: number; count: number };

runHistories({ ...job, limitMs }).then(
    (figures) => process.send?.({ figures: { ...figures, report: reportOf(figures) } }),
    (error: unknown) => process.send?.({ error: `seed ${job.seed}: ${textOf(error)}` }),
);

/** fast-check puts the failure of the history into the cause of its error. */
function textOf(error: unknown): string {
    return error instanceof Error && error.cause !== undefined
        ? `${error.message}\n${textOf(error.cause)}`
        : String(error);
}

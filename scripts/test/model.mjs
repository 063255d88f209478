/**
 * `npm test -- model [--runs 20000 --seed 6]`: runs random histories against the model of the engine, in one process
 * for each core and without jest. Prints figures while it runs, and in the last line the total.
 */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { withBundle } from "../lib/bundle.mjs";
import { ScriptError } from "../lib/repository.mjs";

/** A process runs this many histories for each seed. */
const batch = 250;

export async function runHistories(args) {
    const { values } = parseArgs({
        args,
        options: { runs: { type: "string", default: "1000" }, seed: { type: "string", default: "1000" } },
    });
    const [runs, firstSeed] = [Number(values.runs), Number(values.seed)];
    if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(firstSeed)) {
        throw new ScriptError(
            `--runs ${values.runs} and --seed ${values.seed} must be whole numbers, with at least one run.`,
        );
    }
    const seeds = Array.from({ length: Math.ceil(runs / batch) }, (_, index) => firstSeed + index);
    const jobs = seeds.map((seed, index) => ({ seed, count: Math.min(batch, runs - index * batch) }));
    const total = { histories: 0, runs: 0, helped: 0, failures: 0 };
    await withBundle(["tests/model/main.ts"], async (program) => {
        const runNext = async () => {
            for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
                const { figures, error } = await runJob(program, job);
                console.log(error ?? `seed ${job.seed}: ${figures.report}`);
                total.failures += error === undefined ? 0 : 1;
                for (const name of ["histories", "runs", "helped"]) {
                    total[name] += figures?.[name] ?? 0;
                }
            }
        };
        await Promise.all(Array.from({ length: availableParallelism() }, runNext));
    });
    console.log(
        `${total.histories} histories, ${total.runs} runs, ${total.failures} failures, ` +
            `${total.helped} resources needed manual steps; seeds ${firstSeed} to ${firstSeed + seeds.length - 1}`,
    );
    return total.failures === 0 ? 0 : 1;
}

/** Runs histories in a separate process. Resolves with its figures or its error. */
function runJob(program, job) {
    return new Promise((resolve) => {
        const child = fork(program, [JSON.stringify(job)]);
        let result = { error: `seed ${job.seed}: the process ended without a result` };
        child.on("message", (message) => (result = message));
        child.on("exit", () => resolve(result));
    });
}

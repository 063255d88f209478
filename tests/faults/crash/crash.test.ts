import { nameOf, sample } from "./cases";
import { runAll, prepare } from "./matrix";
import type { CaseResult } from "./runCase";

/**
 * `npm test -- crash` runs a sample. CLOUDDB_CRASH_CASES sets its size, and CLOUDDB_CRASH_SEED selects another sample.
 * `CLOUDDB_CRASH=all npm test -- crash` runs every case. CLOUDDB_CRASH_ONLY selects the cases whose name matches.
 * The test prints a line for each case to stderr.
 */
const all = process.env.CLOUDDB_CRASH === "all";
const sampleSize = Number(process.env.CLOUDDB_CRASH_CASES ?? 3);
const seed = Number(process.env.CLOUDDB_CRASH_SEED ?? 6);
const only = new RegExp(process.env.CLOUDDB_CRASH_ONLY ?? "");
const atATime = all ? 6 : 3;
/** Much longer than the cases take, for a busy machine. */
const limitMinutes = all ? 120 : 6 + sampleSize;

test(
    "the run after a crash or a fault at any request reaches the declared state: one database, none deleted, valid secrets, and a complete destroy",
    async () => {
        const matrix = await prepare();
        const cases = matrix.cases.filter((one) => only.test(nameOf(one)));
        const picked = all ? cases : sample(cases, sampleSize, seed);
        const results = await runAll(picked, matrix, {
            atATime,
            onResult: ({ name, runs, problems }) =>
                process.stderr.write(`${problems.length === 0 ? "ok" : "NOT OK"}, ${runs} runs: ${name}\n`),
        });
        console.log(report(results, cases.length));
        expect(results.length).toBeGreaterThan(0);
        expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
    },
    limitMinutes * 60_000,
);

function report(results: readonly CaseResult[], cases: number): string {
    const failures = results.filter(({ problems }) => problems.length > 0);
    const again = results.filter(({ runs }) => runs > 1);
    const helped = results.filter(({ humanSteps }) => humanSteps.length > 0);
    const notCalled = results.filter(({ called }) => !called);
    return [
        `${results.length} of ${cases} cases, ${failures.length} failures, ${again.length} needed a second run, ` +
            `${helped.length} needed a manual step, in ${notCalled.length} the request was not sent`,
        ...helped.flatMap(({ name, humanSteps }) => [`  ${name}`, ...humanSteps.map((step) => `    ${step}`)]),
    ].join("\n");
}

import { sample } from "./cases";
import { playAll, prepare } from "./matrix";
import type { Matrix } from "./matrix";
import type { Played } from "./play";

/**
 * `npm run test:crash` plays a sample for about a minute; `CLOUDDB_CRASH=all npm run test:crash` plays every case, and
 * CLOUDDB_CRASH_SEED picks another sample. A line for each case goes to stderr.
 */
const all = process.env.CLOUDDB_CRASH === "all";
const seed = Number(process.env.CLOUDDB_CRASH_SEED ?? 6);
const minutes = Number(process.env.CLOUDDB_CRASH_MINUTES ?? (all ? 24 * 60 : 0.75));
/** More than there is time for. */
const sampleSize = 200;
const leastPlayed = 5;
const atATime = all ? 6 : 4;
const startMinutes = 2;

describe("whatever goes wrong at whichever call, with the real engine", () => {
    let matrix: Matrix | undefined;

    afterAll(() => {
        for (const stage of Object.values(matrix?.before ?? {})) stage.remove();
    });

    it(
        "the next run ends as declared: one database, none deleted, secrets that work, and a destroy that leaves nothing",
        async () => {
            matrix = await prepare();
            const { cases } = matrix;
            const picked = sample(cases, all ? cases.length : sampleSize, seed);
            const played = await playAll(picked, matrix, {
                atATime,
                timeMs: minutes * 60_000,
                onPlayed: ({ name, runs, problems }) =>
                    process.stderr.write(`${problems.length === 0 ? "ok" : "NOT OK"}, ${runs} runs: ${name}\n`),
            });
            console.log(report(played, cases.length));
            expect(played.length).toBeGreaterThanOrEqual(leastPlayed);
            expect(played.filter(({ problems }) => problems.length > 0)).toEqual([]);
        },
        (minutes + startMinutes) * 60_000,
    );
});

function report(played: readonly Played[], cases: number): string {
    const again = played.filter(({ runs }) => runs > 1);
    const helped = played.filter(({ humanSteps }) => humanSteps.length > 0);
    const missed = played.filter(({ met }) => !met);
    return [
        `${played.length} of ${cases} cases, ${again.length} needed a second run, ${helped.length} a human step, ` +
            `in ${missed.length} the call did not come to be`,
        ...helped.flatMap(({ name, humanSteps }) => [`  ${name}`, ...humanSteps.map((step) => `    ${step}`)]),
    ].join("\n");
}

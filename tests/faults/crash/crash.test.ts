import { nameOf, sample } from "./cases";
import { playAll, prepare } from "./matrix";
import type { Matrix } from "./matrix";
import type { Played } from "./play";

/**
 * `npm run test:crash` plays a sample for about a minute; `CLOUDDB_CRASH=all npm run test:crash` plays every case,
 * CLOUDDB_CRASH_SEED picks another sample, and CLOUDDB_CRASH_ONLY only cases whose name matches it. A line for each case goes to stderr.
 */
const all = process.env.CLOUDDB_CRASH === "all";
const seed = Number(process.env.CLOUDDB_CRASH_SEED ?? 6);
const only = new RegExp(process.env.CLOUDDB_CRASH_ONLY ?? "");
const minutes = Number(process.env.CLOUDDB_CRASH_MINUTES ?? (all ? 24 * 60 : 0.75));
/** More than there is time for. */
const sampleSize = 200;
const leastPlayed = 5;
const atATime = all ? 6 : 4;
const startMinutes = 6;

describe("whatever goes wrong at whichever call, with the real engine", () => {
    let matrix: Matrix | undefined;

    afterAll(() => {
        for (const stage of Object.values(matrix?.starts ?? {})) {
            stage.remove();
        }
    });

    it(
        "the run after a crash at any call reaches the declared state: one database, none deleted, valid secrets, and a complete destroy",
        async () => {
            matrix = await prepare();
            const cases = matrix.cases.filter((one) => only.test(nameOf(one)));
            const picked = sample(cases, all ? cases.length : sampleSize, seed);
            const played = await playAll(picked, matrix, {
                atATime,
                timeMs: minutes * 60_000,
                onPlayed: ({ name, runs, problems }) =>
                    process.stderr.write(`${problems.length === 0 ? "ok" : "NOT OK"}, ${runs} runs: ${name}\n`),
            });
            console.log(report(played, cases.length));
            expect(played.length).toBeGreaterThanOrEqual(Math.min(leastPlayed, cases.length));
            expect(played.filter(({ problems }) => problems.length > 0)).toEqual([]);
        },
        (minutes + startMinutes) * 60_000,
    );
});

function byPhase(played: readonly Played[]): string {
    const counts = new Map<string, number>();
    for (const { name } of played) {
        const [phase = ""] = name.split(":");
        counts.set(phase, (counts.get(phase) ?? 0) + 1);
    }
    return [...counts].map(([phase, count]) => `${count} ${phase}`).join(", ");
}

function report(played: readonly Played[], cases: number): string {
    const failures = played.filter(({ problems }) => problems.length > 0);
    const again = played.filter(({ runs }) => runs > 1);
    const helped = played.filter(({ humanSteps }) => humanSteps.length > 0);
    const missed = played.filter(({ met }) => !met);
    return [
        `${played.length} of ${cases} cases, ${failures.length} failures, ${again.length} needed a second run, ${helped.length} a human step, ` +
            `in ${missed.length} the call did not come to be`,
        `by phase: ${byPhase(played)}`,
        ...helped.flatMap(({ name, humanSteps }) => [`  ${name}`, ...humanSteps.map((step) => `    ${step}`)]),
    ].join("\n");
}

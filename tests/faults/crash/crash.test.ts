import type { JournalEntry } from "../../../emulator";
import { Random } from "../../../emulator/world/random";
import { dialectOf, inSmallest, smallestLimitMs } from "../../support/dialects";
import { casesOf, nameOf, planOf, type CrashCase, type Phase, type PhasePlan, type Start } from "./phases";
import { problemsIn, runCase, type CaseResult } from "./runCase";
import { openSandbox, type Sandbox } from "./sandbox";

/**
 * `npm test -- crash` runs two cases, and `CLOUDDB_CRASH=all npm test -- crash` all of them. CLOUDDB_CRASH_CASES is the number of
 * cases of a random sample, CLOUDDB_CRASH_SEED its seed, and CLOUDDB_CRASH_ONLY selects the cases whose name matches. The test
 * prints a line for each case to stderr.
 */
const { CLOUDDB_CRASH, CLOUDDB_CRASH_CASES, CLOUDDB_CRASH_SEED = "6", CLOUDDB_CRASH_ONLY } = process.env;
const few: readonly CrashCase[] = [
    { phase: "create", operation: "createService", disruption: { kill: "engine", when: "after" } },
    { phase: "change", operation: "resizeService", disruption: { kill: "provider", when: "after" } },
];
const isWhole = [CLOUDDB_CRASH, CLOUDDB_CRASH_CASES, CLOUDDB_CRASH_ONLY].some((one) => one !== undefined);
const atATime = isWhole ? 6 : few.length;
/** Much longer than the cases take, for a busy machine. */
const limitMs = (isWhole ? 75 : 8) * 60_000 + smallestLimitMs;

const dialect = dialectOf(Number(CLOUDDB_CRASH_SEED));

/** A run without a disruption, in a copy of a sandbox. */
async function pass(start: Sandbox, { program, variant, command, end }: PhasePlan) {
    const sandbox = await openSandbox(start);
    sandbox.declare(program, {}, variant);
    await sandbox.pulumi(...command);
    expect(problemsIn(sandbox.emulator, end)).toEqual([]);
    const journal = sandbox.emulator.journal();
    await sandbox.emulator.close();
    return { sandbox, journal };
}

/** Returns the same promise each time. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
    let made: Promise<T> | undefined;
    return () => (made ??= make());
}

/** The runs without a disruption, and the sandboxes after them, with an API in a dialect. */
function runsIn(dialect: string) {
    const nothing = once(async () => {
        const sandbox = await openSandbox(undefined, dialect);
        await sandbox.emulator.close();
        return sandbox;
    });
    const create = once(async () => pass(await nothing(), planOf("create")));
    const created = once(async () => (await create()).sandbox);
    const change = once(async () => pass(await created(), { ...planOf("change"), variant: { isUnprotected: true } }));
    const changed = once(async () => (await change()).sandbox);
    const starts: Readonly<Record<Start, () => Promise<Sandbox>>> = { nothing, created, changed };
    return { create, change, changed, startOf: ({ phase }: CrashCase) => starts[planOf(phase).start]() };
}

const { create, change, changed, startOf } = runsIn(dialect);

/** All cases, from the requests of runs without a disruption. */
async function allCases(): Promise<CrashCase[]> {
    const destroy = await pass(await changed(), planOf("destroy"));
    const requests = { create: (await create()).journal, change: (await change()).journal, destroy: destroy.journal };
    const cases = casesOf(new Map(Object.entries(requests) as [Phase, JournalEntry[]][]));
    return cases.filter((one) => new RegExp(CLOUDDB_CRASH_ONLY ?? "").test(nameOf(one)));
}

function sampled(cases: readonly CrashCase[], count: number): CrashCase[] {
    const random = new Random(Number(CLOUDDB_CRASH_SEED));
    const left = [...cases];
    return Array.from({ length: Math.min(count, left.length) }).flatMap(() =>
        left.splice(random.integer(0, left.length), 1),
    );
}

test(
    "the run after a crash at any request reaches the declared state: one database, none deleted, valid secrets, and a complete destroy",
    async () => {
        const cases = isWhole ? await allCases() : few;
        const queue = sampled(cases, Number(CLOUDDB_CRASH_CASES ?? cases.length));
        const results: CaseResult[] = [];
        const failing: CrashCase[] = [];
        const work = async () => {
            for (let next = queue.shift(); next; next = queue.shift()) {
                const result = await runCase(next, await startOf(next));
                results.push(result);
                if (result.problems.length > 0) {
                    failing.push(next);
                }
                const { name, runs, problems } = result;
                process.stderr.write(
                    `${problems.length === 0 ? "ok" : "NOT OK"}, ${runs} runs: ${name}, dialect ${dialect}\n`,
                );
            }
        };
        await Promise.all(Array.from({ length: atATime }, work));
        console.log(reportOf(results, cases.length));
        expect(results.length).toBeGreaterThan(0);
        for (const one of failing.slice(0, 1)) {
            await inSmallest(dialect, async (smaller) => {
                const { name, problems } = await runCase(one, await runsIn(smaller).startOf(one));
                expect([name, problems]).toEqual([name, []]);
            });
        }
        expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
    },
    limitMs,
);

function reportOf(results: readonly CaseResult[], cases: number): string {
    const count = (holds: (one: CaseResult) => boolean) => results.filter(holds).length;
    return [
        `${results.length} of ${cases} cases, ${count(({ problems }) => problems.length > 0)} failures, ` +
            `${count(({ runs }) => runs > 1)} needed a second run, ` +
            `${count(({ humanSteps }) => humanSteps.length > 0)} needed a manual step, ` +
            `in ${count(({ called }) => !called)} the request was not sent`,
        ...results.flatMap(({ name, humanSteps }) => humanSteps.map((step) => `  ${name}: ${step}`)),
    ].join("\n");
}

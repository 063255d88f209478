import fc from "fast-check";
import { Dialect, drawnRules } from "../../emulator/dialect/dialect";
import { memberRules } from "../../emulator/dialect/members";

/** The first seed of the dialects. The same seed always means the same dialects. */
const firstSeed = Number(process.env.CLOUDDB_SEED ?? 1);
const mostRules = { anywhere: 4, members: 12 };

/** What a paused service rejects is not a matter of words: each second dialect has it. */
const locks = "paused-locked";
/** Other statuses and ids, and members that depend on others, which tests of the emulator itself do not expect. */
const forms = ["statuses-other", "ids-other", "vpc-endpoint-only", "paused-sizeless"];

/** Random dialects. A failure with one shrinks to the rules that it needs. */
export const dialects: fc.Arbitrary<string> = fc
    .tuple(
        fc.constantFrom([], [locks]),
        fc.constantFrom([], [], ...forms.map((name) => [name]), forms),
        fc.subarray(
            drawnRules.filter((name) => !memberRules.includes(name)),
            { maxLength: mostRules.anywhere },
        ),
        fc.subarray([...memberRules], { maxLength: mostRules.members }),
    )
    .map((names) => names.flat().join());

/** The dialect of the test with this number. */
export const dialectOf = (index: number): string =>
    [...(index % 2 === 1 ? [locks] : []), ...new Dialect(firstSeed * 1_000 + index).names].join();

/** For tests with the engine, which a failure repeats with fewer and fewer rules. */
export const smallestLimitMs = 45 * 60_000;

/** Runs a test in a dialect. A failure names the rules that it needs, each of which alone makes the difference. */
export async function inSmallest(dialect: string, run: (dialect: string) => Promise<unknown>): Promise<void> {
    const failureIn = async (names: readonly string[]) =>
        run(names.join()).then(() => undefined, Object) as Promise<unknown>;
    let smallest: readonly string[] = dialect.split(",");
    let failure = await failureIn(smallest);
    if (failure === undefined) {
        return;
    }
    for (const name of smallest) {
        const others = smallest.filter((one) => one !== name);
        const stillFails = await failureIn(others);
        if (stillFails !== undefined) {
            [smallest, failure] = [others, stillFails];
        }
    }
    const what =
        smallest.join() === ""
            ? `It fails without the dialect "${dialect}" as well.`
            : `It fails in the dialect "${smallest.join()}", and without any of these rules it passes.`;
    throw failure instanceof Error
        ? Object.assign(failure, { message: `${what}\n${failure.message}` })
        : new Error(what);
}

/** A test of each of these cases, each in a dialect of its own. */
export function itInDialects<Case extends readonly unknown[]>(
    cases: readonly Case[],
    name: string,
    run: (...of: [...Case, dialect: string]) => Promise<unknown>,
): void {
    it.each(cases.map((of, index) => [...of, dialectOf(index)] as const))(name, (...args) => {
        const of = args.slice(0, -1) as unknown as [...Case];
        return inSmallest(String(args.at(-1)), (dialect) => run(...of, dialect));
    });
}

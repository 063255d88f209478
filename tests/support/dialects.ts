import fc from "fast-check";
import { Dialect, drawnRules } from "../../emulator/dialect/dialect";

/** The first seed of the dialects. The same seed always means the same dialects. */
const firstSeed = Number(process.env.CLOUDDB_SEED ?? 1);
const mostRules = 6;

/** What a paused service rejects is not a matter of words: each second dialect has it. */
const locks = "paused-locked";

/** Random dialects. A failure with one shrinks to the rules that it needs. */
export const dialects: fc.Arbitrary<string> = fc
    .tuple(fc.constantFrom([], [locks]), fc.subarray(drawnRules, { maxLength: mostRules }))
    .map((names) => names.flat().join());

/** The dialect of the test with this number. */
export const dialectOf = (index: number): string =>
    [...(index % 2 === 1 ? [locks] : []), ...new Dialect(firstSeed * 1_000 + index).names].join();

/** These cases of a test, each with a dialect of its own as the last value. */
export const inDialects = <Case extends readonly unknown[]>(cases: readonly Case[]): [...Case, dialect: string][] =>
    cases.map((one, index) => [...one, dialectOf(index)]);

/** Those of the tests with the engine: the first one at each change, the others before a release. */
export const engineDialects = [
    "regions-upper,times-offset,other-words,lists-reordered,left-out,nulls,unknown-fields",
    "standbys-listed,regions-lower,deprecated-only,empties,errors-without-code",
    "times-fraction,lists-reordered,nulls,errors-html",
    "regions-upper,left-out,deprecated-only,empties,nulls,errors-text",
] as const;

import { evaluate } from "../../support/scripts";

/** Mutants of two lines, as Stryker describes them. */
const mutant = (file: string, line: number, others: object = {}) => ({
    fileName: file,
    mutatorName: "ConditionalExpression",
    replacement: "true",
    location: { start: { line, column: 5 }, end: { line, column: 10 } },
    ...others,
});

test("a sample has as many mutants of each file, and depends only on them", async () => {
    const mutants = ["a.ts", "b.ts"].flatMap((file) =>
        Array.from({ length: 20 }, (_, index) => mutant(file, index + 1)),
    );
    const sampleOf = async (all: readonly object[], size: number) =>
        (await evaluate(`
            const { sampleOf } = await load("mutate/plan.mjs");
            return sampleOf(${JSON.stringify(all)}, ${size});`)) as typeof mutants;
    const sample = await sampleOf(mutants, 5);
    expect(sample.map(({ fileName }) => fileName)).toEqual(mutants.slice(15, 25).map(({ fileName }) => fileName));
    expect(await sampleOf([...mutants.slice(20)].reverse(), 5)).toEqual(sample.slice(5));
    expect(await sampleOf(mutants, 100)).toHaveLength(40);
});

test("the tests that execute a mutant are found by their names, with all characters", async () => {
    const names = ["a (b)|(c) test", "ends. [1, 2] ^$", "other"];
    const pattern = names.slice(0, 2).map((name) => `(${name.replace(/[.*+\-?^${}()|[\]\\]/g, "\\$&")})`);
    const selected = await evaluate(`
        const { default: tests } = await load("mutate/tests.js");
        tests.select(${JSON.stringify(pattern.join("|"))});
        return ${JSON.stringify(names)}.map(tests.isSelected);`);
    expect(selected).toEqual([true, true, false]);
});

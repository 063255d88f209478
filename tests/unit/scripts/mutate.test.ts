import { evaluate } from "../../support/scripts";

/** Mutants of two lines, as Stryker describes them. */
const mutant = (file: string, line: number, others: object = {}) => ({
    fileName: file,
    mutatorName: "ConditionalExpression",
    replacement: "true",
    location: { start: { line, column: 5 }, end: { line, column: 10 } },
    ...others,
});

test("a sample has as many mutants of each file, and depends only on them and the seed", async () => {
    const mutants = ["a.ts", "b.ts"].flatMap((file) =>
        Array.from({ length: 20 }, (_, index) => mutant(file, index + 1)),
    );
    const sampleOf = async (all: readonly object[], options: object) =>
        (await evaluate(`
            const { sampleOf } = await load("mutate/plan.mjs");
            return sampleOf(${JSON.stringify(all)}, ${JSON.stringify(options)});`)) as typeof mutants;
    const options = { size: 5, seed: 1 };
    const sample = await sampleOf(mutants, options);
    expect(sample.map(({ fileName }) => fileName)).toEqual(mutants.slice(15, 25).map(({ fileName }) => fileName));
    expect(await sampleOf([...mutants.slice(20)].reverse(), options)).toEqual(sample.slice(5));
    expect(await sampleOf(mutants, { ...options, seed: 2 })).not.toEqual(sample);
    expect(await sampleOf(mutants, { ...options, size: 100 })).toHaveLength(40);
});

test("the results of mutants are a table by file, and a line for each survivor with its change", async () => {
    const place = { start: { line: 2, column: 9 }, end: { line: 3, column: 8 } };
    const results = [
        ...["Killed", "Timeout", "RuntimeError", "Ignored"].map((status) => mutant("/clone/a.ts", 1, { status })),
        mutant("/clone/a.ts", 1, { status: "Survived", coveredBy: ["one", "two"] }),
        mutant("/clone/b.ts", 2, { status: "NoCoverage", location: place }),
    ];
    const [table, survivors] = (await evaluate(`
        const { survivorsIn, tableOf } = await load("mutate/results.mjs");
        const results = ${JSON.stringify(results)}.map((one) => ({ ...one, fileName: one.fileName.replace("/clone", process.cwd()) }));
        const read = (file) => file === "a.ts" ? "if (value) {" : "\\nreturn first &&\\n    second;";
        return [tableOf(results), survivorsIn(results, read)];`)) as [object, string[]];
    expect(table).toEqual({
        "a.ts": { mutants: 4, killed: 3, survived: 1, "no coverage": 0, static: 1, score: "75.0" },
        "b.ts": { mutants: 1, killed: 0, survived: 0, "no coverage": 1, static: 0, score: "0.0" },
        all: { mutants: 5, killed: 3, survived: 1, "no coverage": 1, static: 1, score: "60.0" },
    });
    expect(survivors).toEqual([
        "a.ts:1:5  value -> true  (ConditionalExpression, 2 tests)",
        "b.ts:2:9  irst && sec -> true  (ConditionalExpression, 0 tests)",
    ]);
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

import { evaluate } from "../../support/scripts";

it("the last line of npm test has the numbers of its tests, and counts a suite that could not run as failed", async () => {
    const clean = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    const results = [
        { ...clean, numRuntimeErrorTestSuites: 0 },
        { ...clean, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, numRuntimeErrorTestSuites: 1 },
    ];
    const lines = await evaluate(`
        const { summaryOf } = await load("test.mjs");
        return ${JSON.stringify(results)}.map(summaryOf);`);
    expect(lines).toEqual(["3 passed, 0 failed", "3 passed, 2 failed, 3 skipped"]);
});

it("npm test runs a file or folder with its configuration", async () => {
    const cases = [
        ["tests/unit/scripts"],
        ["-w", "1", "tests/native/properties.test.ts"],
        ["tests/native/exactPreviews.release.test.ts"],
        ["tests/docs/inClone.test.ts", "-t", "hook"],
        ["--config", "tests/native/jest.config.js", "tests/engine/drift.test.ts"],
        ["postgres/soak"],
        ["tests/docs", "tests/native"],
    ];
    const found = await evaluate(`
        const { configurationFor } = await load("test.mjs");
        return ${JSON.stringify(cases)}.map((args) => {
            try { return configurationFor(args).at(-1) ?? "as given"; }
            catch ({ message }) { return message; }
        });`);
    expect(found).toEqual([
        "jest.config.js",
        "tests/native/jest.config.js",
        "tests/release/jest.config.js",
        "tests/docs/jest.config.js",
        "as given",
        "as given",
        expect.stringContaining("Run them one by one"),
    ]);
});

import { FakeClone } from "./fakeClone";

it("the last line of npm test contains the number of passed, failed and skipped tests, and counts a suite that could not run as failed", async () => {
    const clean = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    const results = [
        { ...clean, numRuntimeErrorTestSuites: 0 },
        { ...clean, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, numRuntimeErrorTestSuites: 1 },
    ];
    const lines = await new FakeClone().evaluate(`
        const { summaryOf } = await load("test.mjs");
        return ${JSON.stringify(results)}.map(summaryOf);`);
    expect(lines).toEqual(["3 passed, 0 failed", "3 passed, 2 failed, 3 skipped"]);
});

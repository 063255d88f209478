import { FakeClone, removeClones } from "./fakeClone";

afterEach(removeClones);

const lineOf = (results: object): Promise<unknown> =>
    new FakeClone().evaluate(`
        const { summaryOf } = await load("test.mjs");
        return summaryOf(${JSON.stringify(results)});`);

const clean = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: 0,
};

it("the last line of npm test contains the number of passed and failed tests", async () => {
    expect(await lineOf(clean)).toBe("3 passed, 0 failed");
});

it("a suite that could not run counts as a failed test", async () => {
    expect(await lineOf({ ...clean, numRuntimeErrorTestSuites: 1 })).toBe("3 passed, 1 failed");
});

it("the last line contains skipped tests if there are any", async () => {
    expect(await lineOf({ ...clean, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 })).toBe(
        "3 passed, 1 failed, 3 skipped",
    );
});

import { evaluate } from "../../support/scripts";

const jestArguments = (list: readonly (readonly string[])[]) =>
    evaluate(`
        const { jestArguments } = await load("test.mjs");
        return ${JSON.stringify(list)}.map(jestArguments);`);

test("a suite is the first argument of npm test; other words are filters of jest, and a file has the configuration of its suite", async () => {
    const native = ["--config", "tests/native/jest.config.js"];
    const cases = [
        { args: [], expected: [] },
        { args: ["native"], expected: native },
        {
            args: ["native", "tests/engine/drift.test.ts", "-t", "release"],
            expected: [...native, "tests/engine/drift.test.ts", "-t", "release"],
        },
        { args: ["crash", "native"], expected: ["crash", "native"] },
        { args: ["unit"], expected: ["unit"] },
        { args: ["tests/unit"], expected: ["--config", "jest.config.js", "tests/unit"] },
        { args: ["tests/native/imports.test.ts"], expected: [...native, "tests/native/imports.test.ts"] },
        {
            args: ["tests/engine/ctrlC.release.test.ts"],
            expected: ["--config", "tests/release/jest.config.js", "tests/engine/ctrlC.release.test.ts"],
        },
    ];
    expect(await jestArguments(cases.map(({ args }) => args))).toEqual(cases.map(({ expected }) => expected));
});

test("npm test rejects files with different configurations", async () => {
    await expect(jestArguments([["tests/unit", "tests/native"]])).rejects.toThrow(
        "These tests have different configurations: jest.config.js, tests/native/jest.config.js.",
    );
});

test("only tests that need a build or an engine get one", async () => {
    const lists = [
        [],
        ["tests/unit/api/clock.test.ts", "tests/contract/kinds.test.ts", "tests/model/histories.test.ts"],
        ["tests/unit/api/clock.test.ts", "tests/built/page.test.ts"],
        ["tests/model/differential/differential.release.test.ts"],
    ];
    const need = await evaluate(`
        const { needEngine } = await load("test.mjs");
        return ${JSON.stringify(lists)}.map(needEngine);`);
    expect(need).toEqual([false, false, true, true]);
});

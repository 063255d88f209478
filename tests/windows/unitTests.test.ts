import { describeOnWindows, node, repository, run } from "./windows";

/** The unit tests that depend on the system: paths, files, signals, line ends, addresses, and the scripts of this repository. */
const files = [
    "tests/unit/api/accessToken",
    "tests/unit/api/settings",
    "tests/unit/base",
    "tests/unit/cli/planComment",
    "tests/unit/cli/printableJson",
    "tests/unit/emulator/options",
    "tests/unit/emulator/ports",
    "tests/unit/emulator/state",
    "tests/unit/hosts/engine.test",
    "tests/unit/resources/service/passwordSource.test",
    "tests/unit/scripts/npm",
    "tests/unit/sdk/resources",
];

describeOnWindows("on Windows", () => {
    test("the unit tests that depend on the system pass, with the same jest", async () => {
        const jest = `${repository}\\node_modules\\jest\\bin\\jest.js`;
        const args = ["--selectProjects", "unit", "--runInBand", "--no-color", ...files];
        const resolver = `${repository}\\tests\\windows\\laboratory\\resolver.cjs`;
        const { code, stderr } = await run(node, [jest, ...args], repository, {
            NAPI_RS_NATIVE_LIBRARY_PATH: resolver,
        });
        expect(stderr.match(/^ +● .*/gm) ?? []).toEqual([]);
        expect([code, stderr]).toEqual([0, expect.stringMatching(/^Tests: .*\d+ passed/m)]);
        expect(stderr.match(/^PASS /gm)?.length).toBeGreaterThanOrEqual(files.length);
    });
});

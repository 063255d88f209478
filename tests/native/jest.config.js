/** `npm run test:native`: the native plugin's own tests, and the tests for both hosts on the plugin. */
const { configuration, project } = require("../support/jest");

/** The other engine tests, for the benchmark and other test runners, use the dynamic provider. */
const engineTests = [
    "adoption",
    "badInput",
    "deletionSafety",
    "drift",
    "emptyProject",
    "exactPreviews",
    "failures",
    "forksAndPauses",
    "hostileTexts",
    "identity",
    "lifeCycle",
    "lookups",
    "lostResponses",
    "obstacles",
    "oddResponses",
    "otherFields",
    "previews",
    "productionDatabase",
    "protection",
    "pullRequests",
    "pulumiFeatures",
    "recordedInputs",
    "renames",
    "replacement",
    "rotation",
    "secrets",
    "serviceFields",
    "signals",
    "upgrade/upgrade",
    "wholeChanges",
];
const plugin = project("native", {
    testMatch: [
        "<rootDir>/tests/native/**/*.test.ts",
        ...engineTests.map((name) => `<rootDir>/tests/engine/${name}.test.ts`),
        "<rootDir>/tests/faults/crash/*.test.ts",
        "<rootDir>/tests/faults/differential/*.test.ts",
    ],
    moduleNameMapper: { "^(\\.\\./)+sdk/nodejs$": "<rootDir>/sdk/nodejs/native" },
    setupFiles: ["<rootDir>/tests/support/nativeHost.ts"],
});

module.exports = configuration([plugin]);

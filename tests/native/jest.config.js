/** `npm run test:native`: the native plugin's own tests, and the tests for both hosts on the plugin. */
const { configuration, project } = require("../support/jest");

/**
 * The tests of tests/engine in which the hosts differ: how the engine passes values, secrets, URNs, errors, signals and
 * settings, what a preview shows, and in which order resources are replaced. The others test plans, waits and refusals,
 * which both hosts call in the same way. They run on the dynamic provider only; the unit tests, the model and the
 * differential tests also test them on the plugin.
 */
const onBothHosts = [
    "adoption",
    "badInput",
    "drift",
    "failures",
    "finalFork",
    "hostileTexts",
    "lifeCycle",
    "lookups",
    "planComments",
    "previews",
    "protection",
    "pulumiFeatures",
    "recordedInputs",
    "replacement",
    "rotation",
    "secrets",
    "serviceFields",
    "signals",
    "upgrade/upgrade",
];
const plugin = project("native", {
    testMatch: [
        "<rootDir>/tests/native/**/*.test.ts",
        ...onBothHosts.map((name) => `<rootDir>/tests/engine/${name}.test.ts`),
        "<rootDir>/tests/faults/crash/*.test.ts",
        "<rootDir>/tests/faults/differential/*.test.ts",
    ],
    moduleNameMapper: { "^(\\.\\./)+sdk/nodejs$": "<rootDir>/sdk/nodejs/native" },
    setupFiles: ["<rootDir>/tests/support/nativeHost.ts"],
});

module.exports = configuration([plugin]);

/** `npm run test:native`: the native plugin's own tests, and the tests for both hosts on the plugin. */
const { configuration, onPlugin, project } = require("../support/jest");

/**
 * The tests of tests/engine in which the hosts differ: how the engine passes values, secrets, URNs, errors and signals, what
 * a preview shows, and in which order resources are replaced. The others test plans, waits and refusals, which both hosts
 * call in the same way. `npm run test:release` also runs those on the plugin that use it only to call the engine.
 */
const onBothHosts = [
    "badInput",
    "drift",
    "hostileTexts",
    "lifeCycle",
    "previews",
    "protection",
    "pulumiFeatures",
    "replacement",
    "secrets",
    "serviceFields",
    "signals",
    "upgrade/upgrade",
];
const plugin = project("native", {
    ...onPlugin,
    testMatch: [
        "<rootDir>/tests/native/**/*.test.ts",
        ...onBothHosts.map((name) => `<rootDir>/tests/engine/${name}.test.ts`),
        "<rootDir>/tests/faults/crash/*.test.ts",
        "<rootDir>/tests/faults/differential/*.test.ts",
    ],
});

module.exports = configuration([plugin]);

/** `npm test -- native`: the native plugin's own tests, and the tests for both hosts on the plugin. */
const { configuration, onPlugin, project } = require("../support/jest");

/**
 * The tests of tests/engine in which the hosts differ: how the engine passes secrets, URNs and signals, what a preview
 * shows, and in which order resources are replaced. The others test plans, waits and refusals, which both hosts call in the
 * same way, and what properties.test.ts shows for each property. `npm test -- release` also runs most of those on the
 * plugin.
 */
const onBothHosts = [
    "cancellation",
    "drift",
    "lifeCycle",
    "passwordOutside",
    "previews",
    "protection",
    "proxy",
    "replacement",
    "secrets",
    "signals",
    "upgrade/upgrade",
];
const plugin = project("native", {
    ...onPlugin,
    testMatch: [
        "<rootDir>/tests/native/**/*.test.ts",
        ...onBothHosts.map((name) => `<rootDir>/tests/engine/${name}.test.ts`),
        "<rootDir>/tests/faults/crash/*.test.ts",
    ],
});

module.exports = configuration([plugin]);

/** `npm test -- native`: the native plugin's own tests, and the tests for both hosts on the plugin. */
const engineTests = require("../engine/onPlugin");
const { configuration, onPlugin, project } = require("../support/jest");

const plugin = project("native", {
    ...onPlugin,
    testMatch: [
        "<rootDir>/tests/native/**/*.test.ts",
        ...engineTests("always"),
        "<rootDir>/tests/faults/crash/*.test.ts",
    ],
});

module.exports = configuration([plugin]);

/** The tests that `npm run mutate` runs in one process, in the order of `runner.js`. */
const { join } = require("node:path");
const { project } = require("../../tests/support/jest");

module.exports = {
    ...project("unit"),
    testMatch: ["**/*.test.ts"],
    runner: join(__dirname, "runner.js"),
    // Stryker extends the environment, and needs its path for that.
    testEnvironment: join(__dirname, "environment.js"),
    cacheDirectory: "<rootDir>/.jest",
    testTimeout: 60_000,
};

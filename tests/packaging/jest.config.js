/** `npm run test:packaging`. Installs packages from the registry of npm, and takes about ten minutes. */
const { join } = require("node:path");
const { projects, ...settings } = require("../../jest.config.js");

const rootDir = join(__dirname, "..", "..");
const testMatch = ["<rootDir>/tests/packaging/**/*.test.ts"];

module.exports = {
    ...settings,
    rootDir,
    projects: [{ ...projects[0], rootDir, displayName: "packaging", testMatch }],
    // Installations and compilers use all cores.
    maxWorkers: 1,
    testTimeout: 10 * 60_000,
};

/** `npm run test:languages`. The first run builds the language hosts, which takes minutes. */
const { join } = require("node:path");
const { projects, ...settings } = require("../../jest.config.js");

const rootDir = join(__dirname, "..", "..");
const testMatch = ["<rootDir>/tests/languages/**/*.test.ts"];

module.exports = {
    ...settings,
    rootDir,
    projects: [{ ...projects[0], rootDir, displayName: "languages", testMatch }],
    // The compiler of Go uses all cores.
    maxWorkers: 1,
    testTimeout: 15 * 60_000,
};

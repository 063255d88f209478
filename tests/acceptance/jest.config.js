/** `npm test -- acceptance`: both hosts against a management API, by default a new emulator in its own process. */
const { configuration, onPlugin, project } = require("../support/jest");

const acceptance = (displayName, settings) =>
    project("acceptance", { displayName, ...settings, testMatch: ["<rootDir>/tests/acceptance/*.test.ts"] });

/** The databases are small, but a platform may take long for a fork. */
const testTimeout = process.env.CLOUDDB_BASE_URL ? 3 * 3_600_000 : 120_000;

module.exports = configuration([acceptance("dynamic"), acceptance("plugin", onPlugin)], { maxWorkers: 1, testTimeout });

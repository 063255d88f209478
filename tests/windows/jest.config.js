/** `npm test -- windows`: Windows builds of Node.js and Pulumi under Wine, see laboratory/README.md. */
const { configuration, project } = require("../support/jest");

const windows = project("windows", {
    globalSetup: "<rootDir>/tests/windows/globalSetup.js",
    globalTeardown: "<rootDir>/tests/windows/globalTeardown.js",
});

// All files share one Windows.
module.exports = configuration([windows], { maxWorkers: 1, testTimeout: 15 * 60_000 });

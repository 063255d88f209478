/** `npm test -- docs`: runs the documented commands, and compiles the documented programs. */
const { configuration, documentation, project } = require("../support/jest");

const docs = project("docs", {
    ...documentation,
    testMatch: ["<rootDir>/tests/docs/**/*.test.ts", "<rootDir>/examples/application/*.test.js"],
});

// Each test installs packages with npm, and compiles programs: more at a time would only slow each other down.
module.exports = configuration([docs], { maxWorkers: 2, testTimeout: 8 * 60_000 });

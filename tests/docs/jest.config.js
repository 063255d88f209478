/** `npm run test:docs`: runs the documented commands and the examples, and compiles the documented programs. */
const { configuration, project } = require("../support/jest");

const docs = project("docs", {
    testMatch: [
        "<rootDir>/tests/docs/**/*.test.ts",
        "<rootDir>/tests/packaging/types.test.ts",
        "<rootDir>/examples/application/*.test.js",
    ],
    globalSetup: "<rootDir>/tests/docs/globalSetup.js",
    globalTeardown: "<rootDir>/tests/docs/globalTeardown.js",
    moduleNameMapper: { "^pulumi-clouddb/emulator$": "<rootDir>/emulator/index.ts" },
});

// Each test installs packages with npm, and compiles programs: more at a time would only slow each other down.
module.exports = configuration([docs], { maxWorkers: 2, testTimeout: 8 * 60_000 });

/** `npm run test:docs`: runs the documented commands and the examples, and compiles the documented programs. */
const { configuration, project } = require("../support/jest");

const docs = project("docs", {
    testMatch: [
        "<rootDir>/tests/docs/**/*.test.ts",
        "<rootDir>/tests/packaging/types.test.ts",
        "<rootDir>/examples/application/*.test.js",
    ],
    moduleNameMapper: { "^pulumi-clouddb/emulator$": "<rootDir>/emulator/index.ts" },
});

module.exports = configuration([docs]);

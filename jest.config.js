/** `npm test`: everything except the native plugin, other languages, documentation, examples and the packed package. */
const { configuration, project } = require("./tests/support/jest");

module.exports = configuration([
    project("unit"),
    project("contract"),
    project("faults"),
    project("engine"),
    project("browser"),
    project("postgres", {
        testMatch: ["<rootDir>/tests/postgres/**/*.test.ts", "<rootDir>/examples/application/*.test.js"],
        moduleNameMapper: { "^pulumi-clouddb/emulator$": "<rootDir>/emulator/index.ts" },
    }),
]);

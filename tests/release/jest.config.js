/**
 * `npm test -- release`: the tests that only a release needs. Each guards something that changes rarely, and takes long: the
 * PostgreSQL of the emulator, the model of the engine, the examples, the commands in messages, and files of tests/engine on the
 * other host.
 */
const engineTests = require("../engine/onPlugin");
const { configuration, documentation, onPlugin, project } = require("../support/jest");

const release = (displayName, settings) => project("release", { testPathIgnorePatterns: [], displayName, ...settings });

module.exports = configuration(
    [
        release("dynamic", {
            testMatch: ["<rootDir>/tests/{browser,engine,faults,model,postgres}/**/*.release.test.ts"],
        }),
        release("plugin", {
            ...onPlugin,
            testMatch: [
                "<rootDir>/tests/native/**/*.release.test.ts",
                "<rootDir>/tests/model/differential/*.release.test.ts",
                ...engineTests("release"),
            ],
        }),
        release("docs", { ...documentation, testMatch: ["<rootDir>/tests/docs/**/*.release.test.ts"] }),
    ],
    { testTimeout: 8 * 60_000 },
);

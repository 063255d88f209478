/**
 * `npm test -- release`: the tests that only a release needs. Each guards something that changes rarely, and takes long: the
 * PostgreSQL of the emulator, the model of the engine, the examples, the commands in messages, and files of tests/engine on the
 * other host.
 */
const { configuration, documentation, onPlugin, project } = require("../support/jest");

const release = (displayName, settings) => project("release", { testPathIgnorePatterns: [], displayName, ...settings });
/** The tests of tests/engine that run only before a release on the plugin. */
const alsoOnPlugin = [
    "adoption",
    "badInput",
    "deletionOrder.release",
    "failures",
    "functions.release",
    "hostileTexts",
    "planComments.release",
    "pulumiFeatures.release",
    "recordedInputs",
    "rotation.release",
    "secretProject.release",
    "serviceFields",
    "stacks.release",
    "terminal",
];

module.exports = configuration(
    [
        release("dynamic", {
            testMatch: ["engine", "faults", "postgres"].map((name) => `<rootDir>/tests/${name}/**/*.release.test.ts`),
        }),
        release("plugin", {
            ...onPlugin,
            testMatch: [
                "<rootDir>/tests/native/**/*.release.test.ts",
                "<rootDir>/tests/faults/differential/*.release.test.ts",
                ...alsoOnPlugin.map((name) => `<rootDir>/tests/engine/${name}.test.ts`),
            ],
        }),
        release("docs", { ...documentation, testMatch: ["<rootDir>/tests/docs/**/*.release.test.ts"] }),
    ],
    { testTimeout: 8 * 60_000 },
);

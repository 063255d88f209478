const { join } = require("node:path");
const { replacements } = require("./lazy/lazy");

const transform = {
    "^.+\\.ts$": ["ts-jest", { diagnostics: false }],
    // p-retry and its dependency are ES modules. Node can require them, but jest must compile them.
    "node_modules[\\\\/](p-retry|is-network-error)[\\\\/].+\\.js$": [
        "ts-jest",
        {
            diagnostics: false,
            tsconfig: { allowJs: true, isolatedModules: true, module: "commonjs", target: "es2022" },
        },
    ],
};

const lazyModules = Object.fromEntries(
    Object.entries(replacements).map(([name, file]) => [
        `^${name.replaceAll(".", "\\.")}$`,
        `<rootDir>/tests/support/lazy/${file}`,
    ]),
);

const rootDir = join(__dirname, "..", "..");

/** The tests that only a release needs: `npm test -- release`. */
const ofRelease = "\\.release\\.test\\.ts$";

/** A project of jest with the tests in the folder of its name, without those that only a release needs. */
const project = (name, { moduleNameMapper, ...extra } = {}) => ({
    rootDir,
    displayName: name,
    testEnvironment: "<rootDir>/tests/support/environment.js",
    // The gRPC library stores state in the global object, which the tests of one process share.
    testEnvironmentOptions: { globalsCleanup: "off" },
    testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
    testPathIgnorePatterns: ["/node_modules/", ofRelease],
    transform,
    transformIgnorePatterns: ["node_modules/(?!(p-retry|is-network-error)/)"],
    moduleNameMapper: { ...lazyModules, ...moduleNameMapper },
    modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/node_modules/pulumi-clouddb", "<rootDir>/.quickstart"],
    ...extra,
});

/** The settings of a project whose programs use the plugin. */
const onPlugin = {
    moduleNameMapper: { "^(\\.\\./)+sdk/nodejs$": "<rootDir>/sdk/nodejs/native" },
    setupFiles: ["<rootDir>/tests/support/nativeHost.ts"],
};

/** The settings of a project that runs the documented commands. */
const documentation = {
    globalSetup: "<rootDir>/tests/docs/globalSetup.js",
    globalTeardown: "<rootDir>/tests/docs/globalTeardown.js",
    moduleNameMapper: { "^pulumi-clouddb/emulator$": "<rootDir>/emulator/index.ts" },
};

/** A configuration of jest, by default for engine tests. These mostly wait for a process, so use more workers than cores. */
const configuration = (projects, settings) => ({
    rootDir,
    projects,
    testSequencer: "<rootDir>/tests/support/sequencer.js",
    maxWorkers: 4,
    // Longer than any test takes on a busy computer.
    testTimeout: 240_000,
    ...settings,
});

module.exports = { project, onPlugin, documentation, configuration };

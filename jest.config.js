const { replacements } = require("./tests/support/late/late");

const transform = {
    "^.+\\.ts$": ["ts-jest", { diagnostics: false }],
    // p-retry and its dependency are ES modules. Node can require them, but jest must compile them.
    "node_modules/(p-retry|is-network-error)/.+\\.js$": [
        "ts-jest",
        {
            diagnostics: false,
            tsconfig: { allowJs: true, isolatedModules: true, module: "commonjs", target: "es2022" },
        },
    ],
};

const lateModules = Object.fromEntries(
    Object.entries(replacements).map(([name, file]) => [
        `^${name.replaceAll(".", "\\.")}$`,
        `<rootDir>/tests/support/late/${file}`,
    ]),
);

const project = (name, { moduleNameMapper, ...extra } = {}) => ({
    displayName: name,
    testEnvironment: "node",
    // The gRPC library stores state in the global object, which the tests of one process share.
    testEnvironmentOptions: { globalsCleanup: "off" },
    testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
    transform,
    transformIgnorePatterns: ["node_modules/(?!(p-retry|is-network-error)/)"],
    moduleNameMapper: { ...lateModules, ...moduleNameMapper },
    modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/node_modules/pulumi-clouddb", "<rootDir>/.quickstart"],
    ...extra,
});

/** The engine tests that `npm test` runs on the native plugin too. `npm run test:native` runs all of them. */
const alsoOnPlugin = ["lifeCycle", "lookups", "secrets", "serviceFields"];

module.exports = {
    projects: [
        project("unit"),
        project("contract"),
        project("faults"),
        project("engine"),
        project("native", {
            testMatch: [
                "<rootDir>/tests/native/**/*.test.ts",
                ...alsoOnPlugin.map((name) => `<rootDir>/tests/engine/${name}.test.ts`),
            ],
            moduleNameMapper: { "^(\\.\\./)+sdk/nodejs$": "<rootDir>/sdk/nodejs/native" },
            setupFiles: ["<rootDir>/tests/support/nativeHost.ts"],
        }),
        project("browser"),
        project("postgres", {
            testMatch: ["<rootDir>/tests/postgres/**/*.test.ts", "<rootDir>/examples/application/*.test.js"],
            moduleNameMapper: { "^pulumi-clouddb/emulator$": "<rootDir>/emulator/index.ts" },
        }),
    ],
    testSequencer: "<rootDir>/tests/support/sequencer.js",
    // Engine tests mostly wait for a process, so more workers than cores are useful.
    maxWorkers: 3,
    testTimeout: 90_000,
};

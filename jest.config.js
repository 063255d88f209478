const transform = {
    "^.+\\.ts$": ["ts-jest", { diagnostics: false }],
    // p-retry and what it needs are ES modules, which Node can require and jest has to compile.
    "node_modules/(p-retry|is-network-error)/.+\\.js$": [
        "ts-jest",
        {
            diagnostics: false,
            tsconfig: { allowJs: true, isolatedModules: true, module: "commonjs", target: "es2022" },
        },
    ],
};

const project = (name, extra = {}) => ({
    displayName: name,
    testEnvironment: "node",
    // What speaks gRPC hangs itself onto the global object; one process has one way for all of its tests.
    testEnvironmentOptions: { globalsCleanup: "off" },
    testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
    transform,
    transformIgnorePatterns: ["node_modules/(?!(p-retry|is-network-error)/)"],
    modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/node_modules/pulumi-clouddb", "<rootDir>/.quickstart"],
    ...extra,
});

module.exports = {
    projects: [
        project("unit"),
        project("contract"),
        project("faults"),
        project("engine"),
        project("browser"),
        project("postgres", {
            testMatch: ["<rootDir>/tests/postgres/**/*.test.ts", "<rootDir>/examples/application/*.test.js"],
            moduleNameMapper: { "^pulumi-clouddb/emulator$": "<rootDir>/emulator/index.ts" },
        }),
    ],
    // Most of the time a test of the engine waits for a process.
    maxWorkers: 3,
    testTimeout: 90_000,
};

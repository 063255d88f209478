/** `npm run test:native`: the tests of both hosts, on the native plugin. */
const { join } = require("node:path");
const { projects, ...settings } = require("../../jest.config.js");

const rootDir = join(__dirname, "..", "..");
const plugin = projects.find(({ displayName }) => displayName === "native");
/**
 * The others run programs that import the dynamic provider: the documented ones, the examples with the fleet, and those of
 * other test runners.
 */
const engineTests = [
    "adoption",
    "badInput",
    "drift",
    "failures",
    "forksAndPauses",
    "keeping",
    "lifeCycle",
    "lookups",
    "lostResponses",
    "obstacles",
    "otherFields",
    "policy",
    "previews",
    "productionDatabase",
    "protection",
    "pullRequests",
    "pulumiFeatures",
    "recordedInputs",
    "renames",
    "replacement",
    "secrets",
    "serviceFields",
    "upgrade/upgrade",
    "wholeChanges",
];
const testMatch = [
    ...engineTests.map((name) => `<rootDir>/tests/engine/${name}.test.ts`),
    "<rootDir>/tests/faults/crash/*.test.ts",
];

module.exports = { ...settings, rootDir, projects: [{ ...plugin, rootDir, testMatch }] };

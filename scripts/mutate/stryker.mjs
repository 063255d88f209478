/** Tests mutants with Stryker, in the working folder, which prints the results. The argument has the options as JSON. */
import { join } from "node:path";
import { Stryker } from "@stryker-mutator/core";

const { roots, ...options } = JSON.parse(process.argv[2]);

await new Stryker({
    ...options,
    testRunner: "jest",
    jest: { configFile: "scripts/mutate/jest.config.js", config: { roots }, enableFindRelatedTests: false },
    plugins: ["@stryker-mutator/jest-runner", join(import.meta.dirname, "plan.mjs")],
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    // On a busy computer.
    dryRunTimeoutMinutes: 30,
    // Each test has its own time limit. This one is for a loop that never waits.
    timeoutMS: 60_000,
    testRunnerNodeArgs: ["--max-old-space-size=2048"],
    ignorePatterns: ["dist", ".quickstart"],
    reporters: ["plan", "clear-text", process.stdout.isTTY ? "progress" : "progress-append-only"],
    clearTextReporter: { logTests: false, reportTests: false },
    logLevel: "warn",
    allowConsoleColors: false,
}).runMutationTest();

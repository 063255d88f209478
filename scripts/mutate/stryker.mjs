/**
 * Tests mutants with Stryker, in the working folder, which prints the results. Then prints the score of each folder, and fails
 * if one is too low. The argument has the options as JSON.
 */
import { join, relative, sep } from "node:path";
import { Stryker } from "@stryker-mutator/core";

const { "at-least": atLeast, roots, ...options } = JSON.parse(process.argv[2]);

const results = await new Stryker({
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

const isKilled = ({ status }) => ["Killed", "Timeout"].includes(status);
const tested = results.filter((one) => isKilled(one) || ["Survived", "NoCoverage"].includes(one.status));
/** A folder of provider/. */
const folderOf = ({ fileName }) => relative(process.cwd(), fileName).split(sep).slice(0, 2).join("/");
for (const folder of [...new Set(tested.map(folderOf))].sort()) {
    const own = tested.filter((one) => folderOf(one) === folder);
    const percent = Math.round((own.filter(isKilled).length / own.length) * 100);
    console.log(`${folder}: ${percent} % of ${own.length} mutants killed`);
    process.exitCode = percent < atLeast ? 1 : process.exitCode;
}

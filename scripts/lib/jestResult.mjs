/** A jest reporter that writes what scripts/test.mjs needs for its last line. */
import { writeFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** The file that the counts go to. */
export const RESULT_FILE = "CLOUDDB_TEST_RESULT_FILE";

// jest takes a reporter from its module's default export.
export default class JestResult {
    /**
     * @param {unknown} _
     * @param {import("@jest/reporters").AggregatedResult} results
     */
    onRunComplete(_, results) {
        const file = process.env[RESULT_FILE];
        if (file) writeFileSync(file, JSON.stringify(countsOf(results)));
    }
}

/**
 * A suite that could not even run counts as one failure: it has no tests that could.
 *
 * @param {Pick<import("@jest/reporters").AggregatedResult, "numPassedTests" | "numFailedTests" | "numPendingTests" | "numTodoTests" | "numRuntimeErrorTestSuites">} results
 * @returns {Counts}
 */
export function countsOf(results) {
    return {
        passed: results.numPassedTests,
        failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
        skipped: results.numPendingTests + results.numTodoTests,
    };
}

/**
 * The line that CI looks for.
 *
 * @param {Counts} counts
 */
export function summaryLine({ passed, failed, skipped }) {
    return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * Says which tests are skipped because this computer lacks a program. Jest prints no names if it skips all tests of a file.
 * Fails with CLOUDDB_NO_SKIPS, which the pipeline sets.
 */
export function skipped(tests: string, reason: string): void {
    const text = `Skipped: ${tests}: ${reason}`;
    if (process.env.CLOUDDB_NO_SKIPS) {
        throw new Error(text);
    }
    process.stderr.write(`${text}\n`);
}

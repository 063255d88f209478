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

/** `describe` or `test`. */
interface Register<Body> {
    (name: string, body: Body): unknown;
    readonly skip: (name: string, body: Body) => unknown;
}

/** The same, but skipped for this reason if this computer lacks something. */
export const onlyIf =
    <Body>(isPossible: boolean, reason: string, register: Register<Body>) =>
    (name: string, body: Body): void => {
        if (!isPossible) {
            skipped(name, reason);
        }
        (isPossible ? register : register.skip)(name, body);
    };

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { default: Runner } = require("jest-runner");
const { isSelected, read, select, write } = require("./tests");

/** The files with the last failures, the latest one at the end. */
const failures = [];

/**
 * Runs only the files that contain selected tests, and stops after the first that fails. Stryker selects tests by their names,
 * and jest would load all files to find them.
 */
module.exports = class extends Runner {
    constructor(globalConfig, context) {
        // The environment skips the other tests: a pattern of a thousand names takes seconds.
        super({ ...globalConfig, testNamePattern: undefined }, context);
        select(globalConfig.testNamePattern);
    }

    async runTests(tests, watcher, options) {
        const record = read();
        if (record === undefined) {
            await this.runAndRecord(tests, watcher, options);
            return;
        }
        let failed = false;
        this.on("test-file-success", ([, { numFailingTests }]) => (failed ||= numFailingTests > 0));
        this.on("test-file-failure", () => (failed = true));
        const files = tests.filter(({ path }) => record[path].names.some(isSelected));
        for (const test of this.inOrder(files, record)) {
            await super.runTests([test], watcher, options);
            if (failed) {
                failures.splice(0, failures.length, ...failures.filter((path) => path !== test.path), test.path);
                return;
            }
        }
    }

    async runAndRecord(tests, watcher, options) {
        const testFiles = {};
        this.on("test-file-success", ([{ path }, { testResults }]) => {
            const passed = testResults.filter(({ status }) => status === "passed");
            const durations = passed.map(({ duration }) => duration ?? 0);
            testFiles[path] = {
                names: passed.map(({ fullName }) => fullName),
                longest: Math.max(0, ...durations),
                total: durations.reduce((sum, one) => sum + one, 0),
            };
        });
        await super.runTests(tests, watcher, options);
        write(testFiles);
    }

    /** The tests that probably fail come first: those of the changed file, and those that failed with the last mutants. */
    inOrder(files, record) {
        const { rootDir } = this._globalConfig;
        const changed = JSON.parse(readFileSync(join(rootDir, "..", "files.json"), "utf8"));
        const [, own] = /.*\/provider\/(.*)\.ts$/.exec(changed[process.env.__STRYKER_ACTIVE_MUTANT__]);
        const isOwn = ({ path }) => Number(path.startsWith(join(rootDir, "tests", "unit", `${own}.`)));
        const failedLast = ({ path }) => failures.indexOf(path);
        const duration = ({ path }) => record[path].total;
        return files.sort(
            (one, other) =>
                isOwn(other) - isOwn(one) || failedLast(other) - failedLast(one) || duration(one) - duration(other),
        );
    }
};

const Environment = require("../../tests/support/environment");
const { isSelected, read } = require("./tests");

/** A test with a mutant fails after this time, and several times the longest test of its file. */
const timeoutMs = 5_000;
const slower = 5;

/**
 * With a mutant, runs the selected tests of a file until one fails. Without one, skips each test that fails, as one does that
 * compares the sources.
 */
module.exports = class extends Environment {
    constructor(config, context) {
        super(config, context);
        this.path = context.testPath;
        this.failed = false;
    }

    async handleTestEvent(event, state) {
        await super.handleTestEvent(event, state);
        const record = read()?.[this.path];
        if (record !== undefined) {
            this.withMutant(event, state, record);
        } else if (event.name === "run_finish") {
            const failed = testsIn(state.rootDescribeBlock).filter(({ test }) => test.errors.length > 0);
            failed.forEach(({ test }) => Object.assign(test, { errors: [], status: "skip" }));
        }
    }

    withMutant({ name, test }, state, { names, longest }) {
        if (name === "run_start") {
            state.testTimeout = timeoutMs + slower * longest;
            for (const { test, fullName } of testsIn(state.rootDescribeBlock)) {
                test.timeout = undefined;
                test.mode = isSelected(fullName) && names.includes(fullName) ? test.mode : "skip";
            }
        } else if (name === "test_start" && this.failed) {
            test.mode = "skip";
        } else if (name === "test_done") {
            this.failed ||= test.errors.length > 0;
        }
    }
};

/** The tests in a block, with their names and those of the blocks around them. */
function testsIn(block, names = []) {
    return block.children.flatMap((child) => {
        const path = [...names, child.name];
        return child.type === "describeBlock" ? testsIn(child, path) : [{ test: child, fullName: path.join(" ") }];
    });
}

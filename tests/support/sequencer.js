const { default: Sequencer } = require("@jest/test-sequencer");

/** The slowest files. They start first, so that workers do not wait for them at the end. */
const longest = [
    "/tests/faults/crash/",
    "/tests/model/",
    "/tests/engine/upgrade/",
    "/tests/engine/password",
    "/tests/engine/secrets",
];
/** Many short files, which fill the workers at the end. */
const short = ["/tests/unit/", "/tests/contract/"];

const isIn = (paths, { path }) => paths.some((part) => path.includes(part));

/** Jest knows the duration of a file only after its first run, and a fresh clone has no durations. */
module.exports = class extends Sequencer {
    sort(tests) {
        const rank = (test) => (isIn(longest, test) ? 0 : isIn(short, test) ? 2 : 1);
        return super.sort(tests).sort((one, other) => rank(one) - rank(other));
    }
};

/** Which tests run: all of them without a mutant, and the tests that execute a mutant with it. */
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const file = join(__dirname, "record.json");
let record;
let selected;

/** For each test file of the run without a mutant: the full names of its tests, and their durations. */
exports.write = (testFiles) => writeFileSync(file, JSON.stringify(testFiles));

/** Undefined during the run without a mutant. */
exports.read = () => (record ??= existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);

/** Takes the pattern that Stryker makes of the names: `(name)|(name)`. Without a pattern, all tests are selected. */
exports.select = (pattern) => {
    const parts = pattern?.slice(1, -1).split(")|(");
    selected = parts && new Set(parts.map((part) => part.replace(/\\(.)/gs, "$1")));
};

exports.isSelected = (name) => selected === undefined || selected.has(name);

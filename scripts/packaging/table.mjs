/** The results, in columns. */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} what
 * @property {string} [node]
 * @property {string} [pulumi]
 * @property {readonly import("./trial.mjs").Step[]} steps
 * @property {string} [failure]
 */

const STEPS = ["install", "up", "again", "upgrade", "destroy"];
const HEADINGS = ["cell", "project", "node", "pulumi", ...STEPS, "result"];

/**
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function drawTable(rows) {
    const lines = [HEADINGS, ...rows.map(cellsOf)];
    const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
    const isTime = (/** @type {number} */ column) => STEPS.includes(HEADINGS[column]);
    const drawn = lines.map((line) =>
        line
            .map((text, column) => (isTime(column) ? text.padStart(widths[column]) : text.padEnd(widths[column])))
            .join("  ")
            .trimEnd(),
    );
    const failed = rows.filter(({ failure }) => failure !== undefined).length;
    return `\n${drawn.join("\n")}\n\n${rows.length - failed} passed, ${failed} failed\n`;
}

/** @param {Row} row */
function cellsOf({ name, what, node = "", pulumi = "", steps, failure }) {
    const times = STEPS.map((name) => {
        const step = steps.find(({ step }) => step === name);
        return step ? `${(step.ms / 1000).toFixed(1)} s` : "";
    });
    return [name, what, node, pulumi, ...times, failure === undefined ? "passed" : "FAILED"];
}

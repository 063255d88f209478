/** What people see of the results of Stryker. */
import { relative } from "node:path";
import { repositoryRoot } from "../lib/repository.mjs";

/** The columns of the table, by the status of a mutant. Others are not in the sample. */
const columns = {
    Killed: "killed",
    Timeout: "killed",
    // The file of the tests did not load.
    RuntimeError: "killed",
    Survived: "survived",
    NoCoverage: "no coverage",
    Ignored: "static",
};

const fileOf = ({ fileName }) => relative(repositoryRoot, fileName);

/** The numbers of mutants by file, and in all. The score is the part of the tested mutants that are killed, in percent. */
export function tableOf(results) {
    const tested = results.filter(({ status }) => status in columns);
    const files = [...new Set(tested.map(fileOf))].sort();
    const rowOf = (mutants) => {
        const count = (column) => mutants.filter(({ status }) => columns[status] === column).length;
        const [killed, survived, uncovered] = ["killed", "survived", "no coverage"].map(count);
        const sum = killed + survived + uncovered;
        return {
            mutants: sum,
            killed,
            survived,
            "no coverage": uncovered,
            static: count("static"),
            score: sum === 0 ? "-" : ((100 * killed) / sum).toFixed(1),
        };
    };
    const rows = files.map((file) => [file, rowOf(tested.filter((mutant) => fileOf(mutant) === file))]);
    return Object.fromEntries([...rows, ["all", rowOf(tested)]]);
}

/** A line for each mutant that no test kills: its place, its change, and the number of tests that execute it. */
export function survivorsIn(results, read) {
    return results
        .filter(({ status }) => ["survived", "no coverage"].includes(columns[status]))
        .sort((one, other) => one.fileName.localeCompare(other.fileName) || order(one, other))
        .map((mutant) => {
            const { location, replacement, mutatorName, coveredBy = [] } = mutant;
            const { start } = location;
            const change = `${shortened(textAt(read(fileOf(mutant)), location))} -> ${shortened(replacement)}`;
            const place = `${fileOf(mutant)}:${start.line}:${start.column}`;
            return `${place}  ${change}  (${mutatorName}, ${coveredBy.length} tests)`;
        });
}

const order = ({ location: { start: one } }, { location: { start: other } }) =>
    one.line - other.line || one.column - other.column;

/** Lines and columns begin with 1. */
function textAt(source, { start, end }) {
    const lines = source.split("\n").slice(start.line - 1, end.line);
    const last = lines.length - 1;
    // The end first: it can be in the line of the start.
    lines[last] = lines[last].slice(0, end.column - 1);
    lines[0] = lines[0].slice(start.column - 1);
    return lines.join("\n");
}

function shortened(text) {
    const line = text.replace(/\s+/g, " ");
    return line.length > 60 ? `${line.slice(0, 40)} … ${line.slice(-15)}` : line;
}

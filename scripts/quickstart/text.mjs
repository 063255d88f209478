/** What the quickstart shows: pure functions from what the emulator knows to lines of text. */
import { PROJECT_ID } from "./emulator.mjs";

const COLUMN_GAP = "  ";
const API_PREFIX = new RegExp(`^/v1/projects/${PROJECT_ID}(?=/)`);

/**
 * Columns as wide as their widest cell; the last one as it is.
 *
 * @param {readonly (readonly string[])[]} rows
 * @returns {string[]}
 */
export function align(rows) {
    const widths = rows.reduce((/** @type {number[]} */ known, row) => {
        row.slice(0, -1).forEach((cell, index) => (known[index] = Math.max(known[index] ?? 0, cell.length)));
        return known;
    }, []);
    return rows.map((row) =>
        row
            .map((cell, index) => cell.padEnd(widths[index] ?? 0))
            .join(COLUMN_GAP)
            .trimEnd(),
    );
}

/**
 * @param {string} list - with commas
 * @param {number} length - of a line, if no entry is longer
 * @returns {string[]}
 */
export function wrap(list, length) {
    return list.split(/(?<=,) /).reduce((/** @type {string[]} */ lines, entry) => {
        const last = lines.at(-1);
        if (last === undefined || last.length + 1 + entry.length > length) return [...lines, entry];
        return [...lines.slice(0, -1), `${last} ${entry}`];
    }, []);
}

/**
 * A line for each thing that there is.
 *
 * @param {import("./emulator.mjs").World} world
 * @returns {string[]}
 */
export function describeWorld({ vpcs, peerings, services }) {
    return align([
        ...vpcs.map(({ name, cidr, region_code }) => ["VPC", name, `${cidr} in ${region_code}`]),
        ...peerings.map(({ id, status }) => ["peering", id, status]),
        ...services.flatMap(({ name, status, resources, ha_replicas, read_replica_sets }) => [
            [
                "service",
                name,
                `${status}, ${sizeOf(resources?.[0]?.spec)}, ${count(ha_replicas?.replica_count, "replica")}`,
            ],
            ...(read_replica_sets ?? []).map((set) => [
                "read replica set",
                set.name,
                `${set.status}, ${sizeOf(set)}, ${count(set.nodes, "node")}`,
            ]),
        ]),
    ]);
}

/**
 * The requests in one line: "createVpc, 2 resizeService, 31 reads".
 *
 * @param {readonly import("./emulator.mjs").JournalEntry[]} entries
 * @returns {string}
 */
export function countRequests(entries) {
    const writes = tally(entries.filter(({ method }) => method !== "GET"));
    const reads = entries.filter(({ method }) => method === "GET").length;
    return [...writes, ...(reads > 0 ? [count(reads, "read")] : [])].join(", ") || "none";
}

/**
 * The journal as a table; reads in a row are one line, unless all are wanted.
 *
 * @param {readonly import("./emulator.mjs").JournalEntry[]} entries
 * @param {{ all?: boolean, width?: number }} [options] - `width`: longer lines are cut
 * @returns {string[]}
 */
export function journalTable(entries, { all = false, width = Infinity } = {}) {
    /** @type {string[][]} */
    const rows = [];
    /** @type {import("./emulator.mjs").JournalEntry[]} */
    let reads = [];
    const flush = () => {
        const [first] = reads;
        if (first)
            rows.push([timeOf(first.at), "", "GET", `${count(reads.length, "read")}: ${tally(reads).join(", ")}`]);
        reads = [];
    };
    for (const entry of entries) {
        if (entry.method === "GET" && isSuccess(entry) && !all) {
            reads.push(entry);
            continue;
        }
        flush();
        const path = entry.path.replace(API_PREFIX, "");
        const body = entry.body === undefined || entry.body === null ? "" : `  ${JSON.stringify(entry.body)}`;
        rows.push([timeOf(entry.at), String(entry.status ?? "…"), entry.method, `${path}${body}`]);
    }
    flush();
    return align(rows).map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line));
}

/** @param {import("./emulator.mjs").JournalEntry} entry */
const isSuccess = ({ status }) => status !== undefined && status < 300;

/**
 * How often each operation was asked for, in the order in which it first was.
 *
 * @param {readonly import("./emulator.mjs").JournalEntry[]} entries
 * @returns {string[]}
 */
function tally(entries) {
    /** @type {Map<string, number>} */
    const times = new Map();
    for (const { operationId, method, path } of entries) {
        const name = operationId ?? `${method} ${path}`;
        times.set(name, (times.get(name) ?? 0) + 1);
    }
    return [...times].map(([name, number]) => (number === 1 ? name : `${number} ${name}`));
}

/** @param {number} at */
const timeOf = (at) => new Date(at).toTimeString().slice(0, "hh:mm:ss".length);

/** @param {{ cpu_millis?: number, memory_gbs?: number }} [size] */
function sizeOf({ cpu_millis, memory_gbs } = {}) {
    return cpu_millis === undefined ? "shared" : `${cpu_millis} millicores, ${memory_gbs} GB`;
}

/**
 * @param {number | undefined} number
 * @param {string} what
 */
const count = (number = 0, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

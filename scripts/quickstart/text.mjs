/** Formats the resources and requests of the emulator. */
import { columns } from "../lib/table.mjs";
import { projectId } from "./emulator.mjs";

const apiPrefix = `/v1/projects/${projectId}`;

/** One line per resource. */
export function describeWorld({ vpcs, peerings, services }) {
    return columns([
        ...vpcs.map(({ name, cidr, region_code: region }) => ["VPC", name, `${cidr} in ${region}`]),
        ...peerings.map(({ id, status }) => ["peering", id, status]),
        ...services.flatMap(({ name, status, resources, ha_replicas: replicas, read_replica_sets: sets = [] }) => [
            [
                "service",
                name,
                `${status}, ${sizeOf(resources?.[0]?.spec)}, ${count(replicas?.replica_count ?? 0, "replica")}`,
            ],
            ...sets.map((set) => [
                "read replica set",
                set.name,
                `${set.status}, ${sizeOf(set)}, ${count(set.nodes, "node")}`,
            ]),
        ]),
    ]);
}

/** The requests in one line, such as "createVpc, 2 resizeService, 31 reads". */
export function countRequests(entries) {
    const writes = new Map();
    for (const { method, operationId, path } of entries) {
        const name = operationId ?? `${method} ${path}`;
        if (method !== "GET") {
            writes.set(name, (writes.get(name) ?? 0) + 1);
        }
    }
    const reads = entries.filter(({ method }) => method === "GET").length;
    const texts = [...writes].map(([name, number]) => (number === 1 ? name : `${number} ${name}`));
    return [...texts, ...(reads > 0 ? [count(reads, "read")] : [])].join(", ") || "none";
}

/** One line per request. Successful reads are included only with `all`. */
export function journalTable(entries, { all = false } = {}) {
    const isRead = ({ method, status }) => method === "GET" && status < 300;
    const shown = entries.filter((entry) => all || !isRead(entry));
    const rows = shown.map(({ at, status, method, path, body }) => [
        new Date(at).toTimeString().slice(0, "hh:mm:ss".length),
        String(status ?? "…"),
        method,
        `${path.replace(apiPrefix, "")}${body ? `  ${JSON.stringify(body)}` : ""}`,
    ]);
    const reads = entries.length - shown.length;
    return [...columns(rows), ...(reads > 0 ? [`and ${count(reads, "read")}, shown with --all`] : [])];
}

const sizeOf = ({ cpu_millis: cpu, memory_gbs: memory } = {}) =>
    cpu === undefined ? "shared" : `${cpu} millicores, ${memory} GB`;

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

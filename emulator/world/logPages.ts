import { invalid } from "../errors";
import { type Query, type Wire, withDeprecatedAlias } from "../wire";
import { logOf } from "./logs";
import type { LogLine, ServiceRecord } from "./state";
import type { World } from "./world";

const pageSize = 500;

/** The end of a page: the time of its last line, and the number of lines with the same time that are on the next page. */
interface Position {
    at: number;
    left: number;
}

/** One page of a service's log, newest first. */
export function logPage(
    world: World,
    service: ServiceRecord,
    query: Query<"getServiceLogs">,
): Wire["ServiceLogsResponse"] {
    const [node, lastNode] = [query.node ?? 0, service.values.replicaCount];
    if (node > lastNode) {
        const known = `The nodes of service ${service.id} are 0 (the primary) to ${lastNode}.`;
        throw invalid(`node ${node} does not exist. ${known}`);
    }
    const ofNode = logOf(world, service).filter((line) => line.node === node);
    const wanted = ofNode.filter(filterOf(query));
    const start = !query.cursor ? 0 : after(wanted, readCursor(query.cursor));
    const page = wanted.slice(start, start + pageSize);
    const last = page.at(-1);
    const entries = page.map(({ at, severity, message }) => ({
        message,
        severity,
        timestamp: new Date(at).toISOString(),
    }));
    const answer = { logs: entries.map(({ message }) => message), entries };
    if (!last || start + page.length >= wanted.length) {
        return answer;
    }
    const left = wanted.slice(start + page.length).filter(({ at }) => at === last.at).length;
    return { ...answer, ...withDeprecatedAlias("last_cursor", "lastCursor", writeCursor({ at: last.at, left })) };
}

function filterOf(query: Query<"getServiceLogs">): (line: LogLine) => boolean {
    const since = query.since === undefined ? -Infinity : Date.parse(query.since);
    const until = query.until === undefined ? Infinity : Date.parse(query.until);
    // The parameter can be repeated, and each value can contain several severities, separated by commas.
    const severities = [query.severities ?? []].flat().flatMap((text) => text.toUpperCase().split(","));
    const { search = [] } = query;
    return (line) =>
        line.at >= since &&
        line.at < until &&
        (severities.length === 0 || severities.includes(line.severity)) &&
        search.every((text) => line.message.includes(text));
}

/** The index of the first line after a position. New lines do not change it. */
function after(lines: readonly LogLine[], { at, left }: Position): number {
    const older = lines.findIndex((line) => line.at < at);
    return Math.max(0, (older < 0 ? lines.length : older) - left);
}

const writeCursor = ({ at, left }: Position): string => Buffer.from(`${at}/${left}`).toString("base64url");

function readCursor(cursor: string): Position {
    const [, at, left] = /^(\d+(?:\.\d+)?)\/(\d+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
    if (at === undefined || left === undefined) {
        throw invalid("cursor is invalid. Use the last_cursor of a response for this service.");
    }
    return { at: Number(at), left: Number(left) };
}

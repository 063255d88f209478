import type { Rules } from "./rules";
import type { Dated, LogLine, ServiceRecord } from "./state";

type Text = readonly [severity: string, message: string];

/** The log lines of a service when its status changes. */
const onStatus: Readonly<Record<string, readonly Text[]>> = {
    QUEUED: [["LOG", "service requested"]],
    CONFIGURING: [["LOG", "applying configuration"]],
    READY: [
        ["LOG", "starting PostgreSQL"],
        ["LOG", "redo is not required"],
        ["LOG", "database system is ready to accept connections"],
    ],
    PAUSING: [
        ["LOG", "received fast shutdown request"],
        ["FATAL", "terminating connection due to administrator command"],
    ],
    PAUSED: [["LOG", "database system is shut down"]],
    RESUMING: [["LOG", "database system was shut down; resuming"]],
    DELETING: [["WARNING", "service is being deleted"]],
};

/** The lines that the control `fillLogs` adds. */
const filler: readonly Text[] = [
    ["LOG", "checkpoint starting: time"],
    ["LOG", "checkpoint complete: wrote 42 buffers"],
    ["LOG", 'automatic vacuum of table "tsdb.public.events": index scans: 0'],
    // RAISE LOG '' of a function.
    ["LOG", ""],
    ["LOG", "connection authorized: user=tsdbadmin database=tsdb SSL enabled"],
    ["WARNING", "there is no transaction in progress"],
    ["ERROR", 'relation "missing" does not exist'],
];

/** Writes the log lines for a new status. */
export function recordStatus(service: ServiceRecord, status: string, at: number): void {
    // A real server writes its own log.
    const lines = service.host === undefined ? (onStatus[status] ?? []) : [];
    for (const [severity, message] of lines) {
        service.log.push({ at, severity, message, node: 0 });
    }
}

/** Adds this number of lines to the log of a service, on all its nodes. It then drops the oldest lines above `most`. */
export function fillLog({ log, values }: ServiceRecord, lines: number, at: number, most: number): void {
    log.splice(0, log.length + lines - most);
    for (let index = 0; index < lines; index++) {
        const [severity, message] = filler[index % filler.length] ?? ["LOG", ""];
        log.push({ at, severity, message, node: index % (values.replicaCount + 1) });
    }
}

/** The last fatal message in the log of a service. */
export const lastFatalOf = ({ log }: Pick<ServiceRecord, "log">): string | undefined =>
    log.filter(({ severity }) => severity === "FATAL" || severity === "PANIC").at(-1)?.message;

/** All lines of a resource, newest first: those of its status changes, and of its server if it has one. */
export const logOf = ({ rules }: { rules: Rules }, record: Dated & { log?: LogLine[] }): LogLine[] =>
    newestFirst([...(record.log ?? []), ...rules.servers.logOf(record)]);

/** The sort is stable: of two lines with the same time, the one that was written later comes first. */
const newestFirst = (lines: LogLine[]): LogLine[] => lines.reverse().sort((a, b) => b.at - a.at);

import { hashOf } from "./random";
import type { Rules } from "./rules";
import type { LogLine, ReplicaSetRecord, ServiceRecord, Step } from "./state";

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

const fillerIntervalMs = 60_000;

/** The periodic log lines of a running service. */
const filler: readonly Text[] = [
    ["LOG", "checkpoint starting: time"],
    ["LOG", "checkpoint complete: wrote 42 buffers"],
    ["LOG", 'automatic vacuum of table "tsdb.public.events": index scans: 0'],
    ["LOG", 'automatic analyze of table "tsdb.public.events"'],
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
    const current = service.running.at(-1);
    const isUp = current?.[1] === null;
    if (status === "READY" && !isUp) {
        service.running.push([at, null]);
    }
    if ((status === "PAUSING" || status === "DELETING") && current && isUp) {
        current[1] = at;
    }
}

export function recordStep(service: ServiceRecord, step: Step<object>): void {
    if (step.status !== null) {
        recordStatus(service, step.status, step.at);
    }
}

/** A filler line, chosen by `index`. It is always the same for the same service and index. */
export function fillerLine(service: ServiceRecord, index: number, at: number): LogLine {
    const [severity, message] = filler[hashOf(`${service.id}/${index}`, filler.length)] ?? [
        "LOG",
        "checkpoint starting: time",
    ];
    return { at, severity, message, node: index % (service.values.replicaCount + 1) };
}

/** The last fatal message in the log of a service. */
export const lastFatalOf = ({ log }: Pick<ServiceRecord, "log">): string | undefined =>
    log.filter(({ severity }) => severity === "FATAL" || severity === "PANIC").at(-1)?.message;

/** All lines of a read replica set, newest first. Without a server, it has none. */
export const replicaSetLogOf = ({ rules }: { rules: Rules }, set: ReplicaSetRecord): LogLine[] =>
    newestFirst(rules.servers.logOf(set));

/** All lines of a service, newest first. Filler lines are computed, not stored. A PostgreSQL server has none. */
export function logOf({ now, rules }: { now: number; rules: Rules }, service: ServiceRecord): LogLine[] {
    const lines = [...service.log, ...rules.servers.logOf(service)];
    for (const [from, to] of service.host === undefined ? service.running : []) {
        const end = Math.min(to ?? now, now);
        for (let index = 1; from + index * fillerIntervalMs <= end; index++) {
            const at = from + index * fillerIntervalMs;
            lines.push(fillerLine(service, Math.floor(at / fillerIntervalMs), at));
        }
    }
    return newestFirst(lines);
}

/** The sort is stable: of two lines with the same time, the one that was written later comes first. */
const newestFirst = (lines: LogLine[]): LogLine[] => lines.reverse().sort((a, b) => b.at - a.at);

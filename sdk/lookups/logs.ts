import type { Output } from "@pulumi/pulumi";
import type { ServiceLogs } from "../../provider/api/contract";
import { callMock, isMocked } from "../mocks";
import type { Args } from "../resource";
import { LookupError, withoutStack } from "./errors";
import { later, lookInProject, type LookupOptions, type ProjectArgs } from "./lookup";

/** Whose log, and which of its entries. */
export interface GetServiceLogsArgs extends ProjectArgs {
    /** The service whose log is read. */
    serviceId: string;
    /**
     * The node whose log is read; `"0"` is the primary.
     * @default all nodes
     */
    node?: string;
    /** Only entries at or after this time (RFC 3339). */
    since?: string;
    /** Only entries before this time (RFC 3339). */
    until?: string;
    /** Only entries whose text holds this. */
    search?: string;
    /** Only entries of these severities, for example `["ERROR", "FATAL"]`. */
    severities?: string[];
    /**
     * The most entries to read.
     * @default none for the iterator, which stops asking when its reader does; 500 for `getServiceLogsOutput`
     */
    limit?: number;
}

/** An entry of a log. */
export interface LogEntry {
    /** Its text. */
    readonly message: string;
    /** The level as PostgreSQL names it, for example `ERROR`; absent where the service tells the text alone. */
    readonly severity?: string;
    /** When it was written (RFC 3339); absent where the service tells the text alone. */
    readonly timestamp?: string;
}

/** What `getServiceLogsOutput` reads unless told otherwise. */
const entriesOfAnOutput = 500;

/**
 * The log of a service, newest entry first: `GET …/services/{id}/logs`. The next page is asked for when the reader comes to
 * its end, so `for await` with a `break` reads no more than it needs.
 */
export async function* getServiceLogs(args: GetServiceLogsArgs): AsyncGenerator<LogEntry, void, undefined> {
    const { limit = Infinity } = args;
    if (Number.isNaN(limit) || limit < 0) {
        throw withoutStack(new LookupError(`limit ${limit} is not allowed; use a number of at least 0.`));
    }
    if (isMocked()) {
        yield* (await callMock<LogEntry[]>("getServiceLogs", args)).slice(0, limit);
        return;
    }
    let left = limit;
    let cursor: string | undefined;
    while (left > 0) {
        const page = await readPage(args, cursor);
        const entries = entriesOf(page).slice(0, left);
        yield* entries;
        left -= entries.length;
        if (page.last_cursor === undefined || page.last_cursor === "") {
            return;
        }
        if (page.last_cursor === cursor) {
            throw withoutStack(
                new LookupError("The service answered the same page of the log again; its end cannot be found."),
            );
        }
        cursor = page.last_cursor;
    }
}

/** {@link getServiceLogs} of values that may be outputs, all entries at once. */
export function getServiceLogsOutput(args: Args<GetServiceLogsArgs>, options?: LookupOptions): Output<LogEntry[]> {
    return later(collect, args, options);
}

async function collect(args: GetServiceLogsArgs): Promise<LogEntry[]> {
    const entries: LogEntry[] = [];
    for await (const entry of getServiceLogs({ limit: entriesOfAnOutput, ...args })) {
        entries.push(entry);
    }
    return entries;
}

function readPage(args: GetServiceLogsArgs, cursor: string | undefined): Promise<ServiceLogs> {
    const { serviceId, node, since, until, search, severities } = args;
    const filters = { cursor, node, since, until, search, severities };
    const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    return lookInProject("getServiceLogs", args, ["serviceId"], (client, projectId) =>
        client.getServiceLogs(projectId, serviceId, query),
    );
}

function entriesOf({ entries, logs }: ServiceLogs): LogEntry[] {
    return entries ?? logs.map((message) => ({ message }));
}

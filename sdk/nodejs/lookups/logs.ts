import type { Output } from "@pulumi/pulumi";
import { readOptions } from "../../../provider/api/client";
import type { ServiceLogs } from "../../../provider/api/contract";
import { callMock, isMocked } from "../mocks";
import type { Args } from "../resource";
import { LookupError, withoutStack } from "./errors";
import { callInProject, callWithInputs, type LookupOptions, type ProjectArgs } from "./lookup";

/** The arguments of {@link getServiceLogs}. */
export interface GetServiceLogsArgs extends ProjectArgs {
    /** The id of the service whose log is read. */
    serviceId: string;
    /**
     * Returns only entries of this node; `"0"` is the primary.
     * @default all nodes
     */
    node?: string;
    /**
     * Returns only entries at or after this time (RFC 3339).
     * @default no lower bound
     */
    since?: string;
    /**
     * Returns only entries before this time (RFC 3339).
     * @default no upper bound
     */
    until?: string;
    /**
     * Returns only entries whose message contains this text.
     * @default all entries
     */
    search?: string;
    /**
     * Returns only entries of these severities, for example `["ERROR", "FATAL"]`.
     * @default all severities
     */
    severities?: string[];
    /**
     * The maximum number of entries, at least 0.
     * @default no limit for the iterator, 500 for `getServiceLogsOutput`
     */
    limit?: number;
}

/** An entry of a service's log. */
export interface LogEntry {
    /** The text of the entry. */
    readonly message: string;
    /** The PostgreSQL severity, for example `ERROR`. Undefined if the API returns only the text. */
    readonly severity?: string;
    /** The time of the entry (RFC 3339). Undefined if the API returns only the text. */
    readonly timestamp?: string;
}

/** The default `limit` of `getServiceLogsOutput`. */
const defaultOutputLimit = 500;

/**
 * Returns the log of a service, newest entry first (`GET …/services/{id}/logs`). It requests each page when the caller
 * reaches it, so a `break` in `for await` stops the requests. Throws an `ApiError` with status 404 if the service does not
 * exist, and a `LookupError` if `limit` is negative or the API returns the same page twice.
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
                new LookupError(
                    `getServiceLogs failed for service ${args.serviceId}: the API returned the same page twice. ` +
                        "Set limit, or try again later.",
                ),
            );
        }
        cursor = page.last_cursor;
    }
}

/** {@link getServiceLogs} that takes inputs and returns all entries as one output. */
export function getServiceLogsOutput(args: Args<GetServiceLogsArgs>, options?: LookupOptions): Output<LogEntry[]> {
    return callWithInputs(collect, args, options);
}

async function collect(args: GetServiceLogsArgs): Promise<LogEntry[]> {
    const entries: LogEntry[] = [];
    for await (const entry of getServiceLogs({ limit: defaultOutputLimit, ...args })) {
        entries.push(entry);
    }
    return entries;
}

function readPage(args: GetServiceLogsArgs, cursor: string | undefined): Promise<ServiceLogs> {
    const { serviceId, node, since, until, search, severities } = args;
    const filters = { cursor, node, since, until, search, severities };
    const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    return callInProject("getServiceLogs", args, ["serviceId"], (client, projectId) =>
        client.getServiceLogs(projectId, serviceId, query, readOptions),
    );
}

function entriesOf({ entries, logs }: ServiceLogs): LogEntry[] {
    return entries ?? logs.map((message) => ({ message }));
}

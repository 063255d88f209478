import { arrayOf, pattern, show, text, valueOf, wholeNumber, type Test } from "../base/fields";
import { way } from "../base/message";
import { timeText } from "../base/time";
import { assertArguments, FunctionError, projectOf } from "./function";
import type { ProjectArgs, ProviderFunction } from "./function";

/** The arguments of {@link getServiceLogs}. */
export interface GetServiceLogsArgs extends ProjectArgs {
    /** The id of the service whose log is read. */
    serviceId: string;
    /**
     * Returns only entries of this node, by its number; `"0"` is the primary.
     * @default the primary
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
     * The maximum number of entries, a whole number of at least 0.
     * @default 500, or none if the function returns the entries one by one
     */
    limit?: number;
}

/** The arguments of a page. */
export interface LogPageArgs extends GetServiceLogsArgs {
    /** The `next` of the page before; absent for the first one. */
    cursor?: string;
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

/** A page of a log. */
export interface LogPage {
    readonly entries: readonly LogEntry[];
    /** The position of the next page; absent or empty after the last one. */
    readonly next?: string;
}

const requiredArguments = ["serviceId"] as const;

/** The default `limit` of the function that returns all entries at once; and how many pages may have no entries. */
const [defaultLimit, maxEmptyPages] = [500, 100];

/**
 * Returns the log of a service, newest entry first. Fails with status 404 if the service does not exist. Fails if an argument is
 * not valid or the API returns the same page twice, or too many pages without entries.
 */
export const getServiceLogs: ProviderFunction<GetServiceLogsArgs, LogEntry[]> = {
    required: requiredArguments,
    list: "entries",
    run: async (args, context) => {
        const entries: LogEntry[] = [];
        const getPage = (page: LogPageArgs) => getServiceLogsPage.run(page, context);
        for await (const entry of readServiceLogs({ ...args, limit: args.limit ?? defaultLimit }, getPage)) {
            entries.push(entry);
        }
        return entries;
    },
};

/** One page of a log, for a caller that requests each page when it reaches it. */
export const getServiceLogsPage: ProviderFunction<LogPageArgs, LogPage> = {
    required: requiredArguments,
    run: async (args, context) => {
        const { serviceId, cursor, node, since, until, search, severities } = args;
        const filters = Object.entries({ cursor, node, since, until, search, severities });
        const query = Object.fromEntries(filters.filter(([, value]) => value !== undefined));
        const path = { project_id: projectOf(args, context), service_id: serviceId };
        const page = await context.client.call("getServiceLogs", { path, query }, context.options);
        const entries = page.entries ?? page.logs.map((message) => ({ message }));
        return { entries, ...(page.last_cursor === undefined ? {} : { next: page.last_cursor }) };
    },
};

/** The forms of the arguments that the API would reject otherwise. */
const forms: Readonly<Partial<Record<keyof LogPageArgs, Test>>> = {
    node: pattern(/^\d+$/, 'the number of a node, for example "0"'),
    since: timeText,
    until: timeText,
    search: text(),
    severities: arrayOf(text()),
    limit: wholeNumber(0),
};

/** The log of a service. Checks the arguments, and requests each page when the caller reaches it. */
export async function* readServiceLogs(
    args: GetServiceLogsArgs,
    getPage: (args: LogPageArgs) => Promise<LogPage>,
): AsyncGenerator<LogEntry, void, undefined> {
    for (const [name, test] of Object.entries(forms)) {
        const value = valueOf(args, name);
        const problem = value === undefined ? undefined : test(value);
        if (problem !== undefined) {
            throw new FunctionError(`${name} ${show(value)} ${problem}.`);
        }
    }
    assertArguments("getServiceLogs", requiredArguments, args);
    let { limit: left = Infinity, until, cursor }: LogPageArgs = args;
    let emptyPages = 0;
    const read = new Set<string>();
    while (left > 0) {
        const page = await getPage({ ...args, ...(until && { until }), ...(cursor && { cursor }) });
        // The API may repeat entries on the next page if new ones come meanwhile.
        until ??= justAfter(page.entries[0]);
        const entries = page.entries.slice(0, left);
        yield* entries;
        left -= entries.length;
        if (page.next === undefined || page.next === "") {
            return;
        }
        emptyPages += page.entries.length === 0 ? 1 : 0;
        if (read.has(page.next) || emptyPages === maxEmptyPages) {
            const pages = read.has(page.next) ? "the same page twice" : `${emptyPages} pages without entries`;
            throw new FunctionError({
                what: `getServiceLogs failed for service ${args.serviceId}: the API returned ${pages}.`,
                ways: [way("Continue", "set limit, since or until, or try again later")],
            });
        }
        cursor = page.next;
        read.add(cursor);
    }
}

/** The first millisecond after an entry. Undefined if the API does not return its time. */
function justAfter({ timestamp = "" }: Partial<LogEntry> = {}): string | undefined {
    const at = Date.parse(timestamp);
    return Number.isNaN(at) ? undefined : new Date(at + 1).toISOString();
}

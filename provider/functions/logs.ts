import { arrayOf, pattern, show, text, valueOf, wholeNumber, type Test } from "../base/fields";
import { way } from "../base/message";
import { timeText } from "../base/time";
import { FunctionError, projectOf } from "./function";
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
     * Returns only entries whose message contains this text, or these texts. The API does not say whether all of them must be in
     * a message, or one.
     * @default all entries
     */
    search?: string | string[];
    /**
     * Returns only entries of these severities, for example `["ERROR", "FATAL"]`.
     * @default all severities
     */
    severities?: string[];
    /**
     * The maximum number of entries, a whole number of at least 0.
     * @default 500
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

/** The default `limit`, and how many pages may have no entries. */
const [defaultLimit, maxEmptyPages] = [500, 100];

const oneOrMore: Test = (value) => (Array.isArray(value) ? arrayOf(text()) : text())(value);

/** The forms of the arguments that the API would reject otherwise. */
const forms: Readonly<Partial<Record<keyof GetServiceLogsArgs, Test>>> = {
    node: pattern(/^\d+$/, 'the number of a node, for example "0"'),
    since: timeText,
    until: timeText,
    search: oneOrMore,
    severities: arrayOf(text()),
    limit: wholeNumber(0),
};

/**
 * Returns the log of a service, newest entry first. Fails with status 404 if the service does not exist. Fails if an argument is
 * not valid or the API returns the same page twice, or too many pages without entries.
 */
export const getServiceLogs: ProviderFunction<GetServiceLogsArgs, LogEntry[]> = {
    required: ["serviceId"],
    list: "entries",
    run: async (args, context) => {
        for (const [name, test] of Object.entries(forms)) {
            const value = valueOf(args, name);
            const problem = value === undefined ? undefined : test(value);
            if (problem !== undefined) {
                throw new FunctionError(`${name} ${show(value)} ${problem}.`);
            }
        }
        const { serviceId, node, since, search, severities, limit = defaultLimit } = args;
        const path = { project_id: projectOf(args, context), service_id: serviceId };
        const [entries, read]: [LogEntry[], Set<string>] = [[], new Set()];
        let { until } = args;
        let cursor: string | undefined;
        let emptyPages = 0;
        while (entries.length < limit) {
            const filters = Object.entries({ cursor, node, since, until, search, severities });
            const query = Object.fromEntries(filters.filter(([, value]) => value !== undefined));
            const page = await context.client.call("getServiceLogs", { path, query }, context.options);
            const found: LogEntry[] = page.entries ?? page.logs.map((message) => ({ message }));
            entries.push(...found.slice(0, limit - entries.length));
            // The API may repeat entries on the next page if new ones come meanwhile.
            until ??= justAfter(found[0]);
            cursor = page.last_cursor;
            if (cursor === undefined) {
                break;
            }
            emptyPages += found.length === 0 ? 1 : 0;
            if (read.has(cursor) || emptyPages === maxEmptyPages) {
                const pages = read.has(cursor) ? "the same page twice" : `${emptyPages} pages without entries`;
                throw new FunctionError({
                    what: `getServiceLogs failed for service ${serviceId}: the API returned ${pages}.`,
                    ways: [way("Continue", "set limit, since or until, or try again later")],
                });
            }
            read.add(cursor);
        }
        return entries;
    },
};

/** The first millisecond after an entry. Undefined if the API does not return its time. */
function justAfter({ timestamp = "" }: Partial<LogEntry> = {}): string | undefined {
    const at = Date.parse(timestamp);
    return Number.isNaN(at) ? undefined : new Date(at + 1).toISOString();
}

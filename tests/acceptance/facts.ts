import type { OperationId } from "../../provider/api/contract";
import type { Call, Exchange } from "./contract";

/** A documented behaviour that no schema can express, which each response of these operations can contradict. */
interface Fact {
    readonly of: readonly OperationId[];
    /** Describes the contradiction. */
    readonly contradiction: (response: Fields, exchange: Exchange) => string | undefined;
}

interface Fields {
    readonly id?: unknown;
    readonly service_id?: unknown;
    readonly initial_password?: unknown;
    readonly status?: unknown;
    readonly created?: unknown;
    readonly forked_from?: { readonly service_id?: unknown };
    readonly ha_replicas?: { readonly replica_count?: unknown };
    readonly entries?: readonly { readonly timestamp: string }[];
    readonly [field: string]: unknown;
}

const contains = (condition: boolean, text: string) => (condition ? undefined : text);
const matches = (value: unknown, pattern: RegExp) => typeof value === "string" && pattern.test(value);

/** Deprecated fields with the fields that replace them. */
const aliases = { vpcEndpoint: "vpc_endpoint", apiKey: "api_key", lastCursor: "last_cursor" } as const;
const maxLogEntries = 500;

const facts: readonly Fact[] = [
    {
        of: ["createService", "forkService"],
        contradiction: ({ initial_password: password }) =>
            contains(matches(password, /./), "the response has no initial_password"),
    },
    {
        of: ["getService", "startService", "stopService", "resizeService", "setHA", "renameService"],
        contradiction: ({ initial_password: password }) =>
            contains(password === undefined, "a later response contains initial_password"),
    },
    {
        of: ["createService", "forkService"],
        contradiction: ({ service_id: id }) =>
            contains(matches(id, /^[a-z0-9]{10}$/), "the service_id is not 10 lower-case letters and digits"),
    },
    {
        of: ["createVpc", "createPeering"],
        contradiction: ({ id }) => contains(matches(id, /^\d+$/), "the id is not digits in a string"),
    },
    {
        of: ["startService", "stopService", "resizeService", "setHA"],
        contradiction: ({ status }) =>
            contains(status !== "READY" && status !== "PAUSED", "the response already has a final status"),
    },
    {
        of: ["forkService"],
        contradiction: ({ ha_replicas: { replica_count: count } = {} }) =>
            contains(count === undefined || count === 0, "the fork starts with high-availability replicas"),
    },
    {
        of: ["forkService"],
        contradiction: ({ forked_from: from }, { path }) =>
            contains(
                from === undefined || path.includes(`/services/${String(from.service_id)}/`),
                "forked_from is not the parent",
            ),
    },
    {
        of: ["getServiceLogs"],
        contradiction: ({ entries = [] }) =>
            contains(entries.length <= maxLogEntries, `a page has more than ${maxLogEntries} entries`),
    },
    {
        of: ["getServiceLogs"],
        contradiction: ({ entries = [] }) => {
            const times = entries.map(({ timestamp }) => Date.parse(timestamp));
            return contains(
                times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0)),
                "the entries are not in the order newest first",
            );
        },
    },
    {
        of: ["getService", "getAuthInfo", "getServiceLogs"],
        contradiction: (response) => {
            const different = Object.entries(aliases).find(
                ([old, current]) =>
                    old in response && JSON.stringify(response[old]) !== JSON.stringify(response[current]),
            );
            return contains(different === undefined, `${different?.[0]} differs from ${different?.[1]}`);
        },
    },
];

/** Each contradiction between a successful response and the documented behaviour. */
export function factDifferences({ operation }: Call, exchange: Exchange): string[] {
    const { status, responseBody } = exchange;
    if (status >= 300 || typeof responseBody !== "object" || responseBody === null) {
        return [];
    }
    return facts
        .filter(({ of }) => of.includes(operation))
        .flatMap(({ contradiction }) => contradiction(responseBody as Fields, exchange) ?? [])
        .map((text) => `${operation}: ${text}`);
}

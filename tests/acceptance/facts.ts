import type { OperationId } from "../../provider/api/contract";
import type { Wire } from "../../emulator/wire";
import type { Call, Exchange } from "./contract";

/** The fields that the facts are about. */
type Fields = Partial<Wire["Service"] & Wire["ServiceLogsResponse"] & Wire["Vpc"]> & Readonly<Record<string, unknown>>;

/**
 * A documented behaviour that no schema can express, which each response of these operations can contradict: whether it
 * holds, and the text of the contradiction.
 */
type Fact = readonly [
    of: readonly OperationId[],
    holds: (response: Fields, exchange: Exchange) => boolean,
    contradiction: string,
];

const matches = (value: unknown, pattern: RegExp) => typeof value === "string" && pattern.test(value);

/** Deprecated fields with the fields that replace them. */
const aliases = { vpcEndpoint: "vpc_endpoint", apiKey: "api_key", lastCursor: "last_cursor" } as const;
const maxLogEntries = 500;

const creations = ["createService", "forkService"] as const;
const changes = ["startService", "stopService", "resizeService", "setHA"] as const;
const logs = ["getServiceLogs"] as const;

const facts: readonly Fact[] = [
    [creations, (service) => matches(service.initial_password, /./), "the response has no initial_password"],
    [
        ["getService", "renameService", ...changes],
        (service) => service.initial_password === undefined,
        "a later response contains initial_password",
    ],
    [
        creations,
        (service) => matches(service.service_id, /^[a-z0-9]{10}$/),
        "the service_id is not 10 lower-case letters and digits",
    ],
    [["createVpc", "createPeering"], ({ id }) => matches(id, /^\d+$/), "the id is not digits in a string"],
    [changes, ({ status }) => status !== "READY" && status !== "PAUSED", "the response already has a final status"],
    [
        ["forkService"],
        ({ ha_replicas: { replica_count: count = 0 } = {} }) => count === 0,
        "the fork starts with high-availability replicas",
    ],
    [
        ["forkService"],
        ({ forked_from: from }, { path }) =>
            from === undefined || path.includes(`/services/${String(from.service_id)}/`),
        "forked_from is not the parent",
    ],
    [logs, ({ entries = [] }) => entries.length <= maxLogEntries, `a page has more than ${maxLogEntries} entries`],
    [
        logs,
        ({ entries = [] }) => {
            const times = entries.map(({ timestamp }) => Date.parse(timestamp));
            return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
        },
        "the entries are not in the order newest first",
    ],
    ...Object.entries(aliases).map(([old, current]): Fact => [
        ["getService", "getAuthInfo", ...logs],
        (response) => !(old in response) || JSON.stringify(response[old]) === JSON.stringify(response[current]),
        `${old} differs from ${current}`,
    ]),
];

/** Each contradiction between a successful response and the documented behaviour. */
export function factDifferences({ operation }: Call, exchange: Exchange): string[] {
    const { status, responseBody } = exchange;
    if (status >= 300 || typeof responseBody !== "object" || responseBody === null) {
        return [];
    }
    return facts
        .filter(([of, holds]) => of.includes(operation) && !holds(responseBody as Fields, exchange))
        .map(([, , contradiction]) => `${operation}: ${contradiction}`);
}

import type { JournalEntry } from "../../../emulator";
import { Random } from "../../../emulator/world/random";
import { planOf, type Phase } from "./phases";

/** What happens at a call, or at it and all later ones: a fault in the emulator's short form, or a kill. */
export type Disruption = { fault: string; lasts?: true } | Kill;

/**
 * SIGKILL to the engine or to the provider, or SIGTERM to all processes of the run, as when a pipeline is cancelled. The
 * next run starts at once. With `lag`, it starts before lists show what the call created.
 */
interface Kill {
    kill: "engine" | "provider" | "all";
    when: "before" | "after";
    lag?: true;
}

/** One case of the matrix. */
export interface CrashCase {
    phase: Phase;
    /** `*` means every call: the API is down. */
    operation: string;
    /** The number of this operation's call in the phase, counted from 1. */
    nth: number;
    disruption: Disruption;
}

/**
 * Faults by their effect on a call. Every call is tested with one fault of each group. The fault of a group rotates from call
 * to call, because the provider handles all of them in the same way.
 */
const faultGroups = {
    refused: ["400"],
    denied: ["401", "403,body=html"],
    limited: ["429,retryAfterMs=1000", "429,retryAfterMs=1000,retryAfterForm=date"],
    notProcessed: [
        ...["500", "reset-before", "502,body=html", "302,body=html", "503,body=empty,retryAfterMs=1000"],
        ...["408,body=empty", "520,body=html"],
    ],
    processed: ["502,body=html,carriedOut", "reset-after", "malformed", "reset-middle", "truncated"],
    harmless: ["delay,ms=500", "unknowns"],
} as const;
/** The faults of a repeated read. Such reads differ only in the wait or search that they belong to. */
const atRepeatedReads = ["500", "502,body=html", "reset-middle", "malformed", "401"];
const changeFaults = ["stale,ms=1000", "hidden,ms=1000", "stuck,ms=2000"];
const unstable = ["status,status=UNSTABLE,ms=1500"];

/** The faults that apply to the call with this number in the matrix. */
function faultsOf(operation: string, method: string, call: number): string[] {
    return [
        ...Object.values(faultGroups).flatMap((faults) => faults[call % faults.length] ?? []),
        ...(operation.startsWith("list") ? ["omit", "malformedEntry"] : []),
        ...(operation.startsWith("get") ? ["404"] : []),
        ...(/^(get|create|fork)/.test(operation) ? ["otherObject"] : []),
        ...(method === "GET" ? [] : changeFaults),
        ...(/^(createService|forkService|resizeService|setHA)$/.test(operation) ? unstable : []),
        ...(/^(create|resize)ReplicaSet$/.test(operation) ? ["status,status=error,ms=1500"] : []),
        ...(operation === "createPeering" ? ["peeringFails,message=no route,ms=1000", "peeringFails"] : []),
    ];
}

const kills: readonly Disruption[] = (["engine", "provider"] as const).flatMap((kill) =>
    (["before", "after"] as const).map((when) => ({ kill, when })),
);

const allTerminated: Disruption = { kill: "all", when: "after" };

/** The disruptions of a call in a phase that differs from others only in its resources. They alternate from call to call. */
const few = (call: number): readonly Disruption[] =>
    call % 2 === 0
        ? [{ fault: "400" }, { kill: "engine", when: "after" }]
        : [{ fault: "502,body=html,carriedOut" }, allTerminated];

/**
 * How long lists do not show a new resource, in milliseconds: longer than a run takes until it would create a duplicate. Lists
 * show resources in the order of their creation.
 */
export const lagMs = 8_000;
const lag = `unlisted,ms=${lagMs}`;

/** The disruptions of a call in a phase. Repeated reads and similar phases get only those that make a difference there. */
function disruptionsOf(
    phase: Phase,
    operation: string,
    method: string,
    nth: number,
    call: number,
): readonly Disruption[] {
    const asFaults = (faults: readonly string[]) => faults.map((fault) => ({ fault }));
    const isRead = method === "GET";
    switch (planOf(phase).disruptions ?? "all") {
        case "few":
            return isRead ? [] : few(call);
        case "firstChanges":
            return isRead || nth > 1 ? [] : few(call);
        case "changes":
            return isRead ? [] : [...asFaults(["400", "502,body=html,carriedOut"]), ...kills, allTerminated];
        case "unanswered":
            if (nth > 1) {
                return [];
            }
            return isRead ? [{ fault: "unanswered", lasts: true }] : asFaults(["unanswered", "unanswered,carriedOut"]);
        case "creations":
            return /^create(Service|Vpc)$/.test(operation)
                ? asFaults(["500", "502,body=html", "502,body=html,carriedOut", "reset-before", "reset-after"])
                : [];
        case "all":
            if (isRead && nth > 1) {
                return [...asFaults(atRepeatedReads), { kill: "engine", when: "after" }];
            }
            return [
                ...asFaults(faultsOf(operation, method, call)),
                ...kills,
                ...(isRead ? [] : [allTerminated]),
                ...(/^(create(Service|ReadReplicaSet|Peering)|forkService)$/.test(operation)
                    ? [{ kill: "engine", when: "after", lag: true } as const]
                    : []),
            ];
    }
}

/** All cases for the calls of a run. The phase number rotates the faults. */
export function casesOf(phase: Phase, calls: readonly JournalEntry[], phaseNumber: number): CrashCase[] {
    const counts = new Map<string, number>();
    // Calls run in parallel, so their order differs between runs.
    const operations = [...new Set(calls.map(({ operationId = "" }) => operationId))].sort();
    const outage: CrashCase = { phase, operation: "*", nth: 1, disruption: { fault: "reset-before", lasts: true } };
    const ofCalls = calls.flatMap(({ operationId: operation, method }) => {
        if (operation === undefined) {
            return [];
        }
        const nth = (counts.get(operation) ?? 0) + 1;
        counts.set(operation, nth);
        const call = phaseNumber + operations.indexOf(operation);
        return disruptionsOf(phase, operation, method, nth, call).map((disruption) => ({
            phase,
            operation,
            nth,
            disruption,
        }));
    });
    return planOf(phase).hasOutage ? [...ofCalls, outage] : ofCalls;
}

/** The emulator faults that a case needs, which stay active after the disruption. */
export const lagOf = ({ operation, disruption }: CrashCase): string[] =>
    "kill" in disruption && disruption.lag ? [`${operation}#1+:${lag}`] : [];

/** Selects this number of cases with a seed. Successive cases differ in phase, operation and disruption. */
export function sample(cases: readonly CrashCase[], count: number, seed: number): CrashCase[] {
    const random = new Random(seed);
    const left = [...cases];
    const kinds = new Map<string, number>();
    const picked: CrashCase[] = [];
    while (picked.length < count && left.length > 0) {
        // Of 12 random cases, pick the one whose aspects were picked least often.
        const some = Array.from({ length: 12 }, () => random.integer(0, left.length));
        const weight = (one: CrashCase) => aspectsOf(one).reduce((sum, aspect) => sum + (kinds.get(aspect) ?? 0), 0);
        const best = some.reduce((a, b) => {
            const [left1, left2] = [left[a], left[b]];
            return left1 && left2 && weight(left2) < weight(left1) ? b : a;
        });
        for (const one of left.splice(best, 1)) {
            picked.push(one);
            for (const aspect of aspectsOf(one)) {
                kinds.set(aspect, (kinds.get(aspect) ?? 0) + 1);
            }
        }
    }
    return picked;
}

const aspectsOf = ({ phase, operation, disruption }: CrashCase): string[] => [
    phase,
    operation,
    nameOfDisruption(disruption),
];

const nameOfDisruption = (disruption: Disruption): string =>
    "fault" in disruption
        ? `${disruption.lasts ? "and all later ones " : ""}${disruption.fault}`
        : `${disruption.kill === "all" ? "all terminated" : `${disruption.kill} killed`} ${disruption.when}${disruption.lag ? ", and lists lag" : ""}`;

export const nameOf = ({ phase, operation, nth, disruption }: CrashCase): string =>
    `${phase}: ${operation}#${nth} ${nameOfDisruption(disruption)}`;

import type { JournalEntry } from "../../../emulator";
import { Random } from "../../../emulator/world/random";
import type { Phase } from "./phases";

/** What happens at a call: a fault of the emulator in short, or a kill. */
export type Mishap = { fault: string } | Kill;

/** The next run starts at once; with `lag` before lists show what the call created. */
interface Kill {
    kill: "engine" | "provider";
    when: "before" | "after";
    lag?: true;
}

/** One case of the matrix. */
export interface CrashCase {
    phase: Phase;
    operation: string;
    /** Which of the calls of this operation in the phase, counted from 1. */
    nth: number;
    mishap: Mishap;
}

/**
 * Faults by what they mean for a call. Every call meets each meaning; the faults of one meaning take turns from call to call, as
 * the provider treats them alike.
 */
const meanings = {
    refused: ["400"],
    denied: ["401", "403,body=html"],
    limited: ["429,retryAfterMs=1000", "429,retryAfterMs=1000,retryAfterForm=date"],
    notCarriedOut: [
        ...["500", "reset-before", "502,body=html", "302,body=html", "503,body=empty,retryAfterMs=1000"],
        ...["408,body=empty", "520,body=html"],
    ],
    carriedOut: ["502,body=html,carriedOut", "reset-after", "malformed", "reset-middle", "truncated"],
    harmless: ["delay,ms=500", "unknowns"],
} as const;
/** What differs for a read that repeats an earlier one: the wait or the search that it is part of. */
const atRepeatedReads = ["500", "502,body=html", "reset-middle", "malformed", "401"];
const ofChanges = ["stale,ms=1000", "hidden,ms=1000", "stuck,ms=2000"];
const unstable = ["status,status=UNSTABLE,ms=1500"];

/** The faults that make sense at the call with this number among all calls of the matrix. */
function faultsOf(operation: string, method: string, call: number): string[] {
    return [
        ...Object.values(meanings).flatMap((faults) => faults[call % faults.length] ?? []),
        ...(operation.startsWith("list") ? ["omit", "malformedEntry"] : []),
        ...(operation.startsWith("get") ? ["404"] : []),
        ...(method === "GET" ? [] : ofChanges),
        ...(/^(createService|resizeService|setHA)$/.test(operation) ? unstable : []),
        ...(/^(create|resize)ReplicaSet$/.test(operation) ? ["status,status=error,ms=1500"] : []),
        ...(operation === "createPeering" ? ["peeringFails,message=no route,ms=1000", "peeringFails"] : []),
    ];
}

const kills: readonly Mishap[] = (["engine", "provider"] as const).flatMap((kill) =>
    (["before", "after"] as const).map((when) => ({ kill, when })),
);

/** More than a run needs until it creates the same again; lists show things in the order of their creation. */
const lag = "unlisted,ms=8000";

/** What can happen at a call in a phase; reads and phases that repeat others have only what makes a difference there. */
function mishapsOf(phase: Phase, operation: string, method: string, nth: number, call: number): readonly Mishap[] {
    const asFaults = (faults: readonly string[]) => faults.map((fault) => ({ fault }));
    switch (phase) {
        case "target":
        case "revert":
            return method === "GET" ? [] : [...asFaults(["400", "502,body=html,carriedOut"]), ...kills];
        case "beside":
            return /^create(Service|Vpc)$/.test(operation)
                ? asFaults(["500", "502,body=html", "502,body=html,carriedOut", "reset-before", "reset-after"])
                : [];
        default:
            if (method === "GET" && nth > 1) {
                return [...asFaults(atRepeatedReads), { kill: "engine", when: "after" }];
            }
            return [
                ...asFaults(faultsOf(operation, method, call)),
                ...kills,
                ...(/^create(Service|ReadReplicaSet|Peering)$/.test(operation)
                    ? [{ kill: "engine", when: "after", lag: true } as const]
                    : []),
            ];
    }
}

/** Every call of a run with everything that can happen to it; the number of the phase makes the faults take turns. */
export function casesOf(phase: Phase, calls: readonly JournalEntry[], phaseNumber: number): CrashCase[] {
    const counts = new Map<string, number>();
    // Calls run in parallel: their order differs from run to run.
    const operations = [...new Set(calls.map(({ operationId = "" }) => operationId))].sort();
    return calls.flatMap(({ operationId: operation, method }) => {
        if (operation === undefined) {
            return [];
        }
        const nth = (counts.get(operation) ?? 0) + 1;
        counts.set(operation, nth);
        const call = phaseNumber + operations.indexOf(operation);
        return mishapsOf(phase, operation, method, nth, call).map((mishap) => ({ phase, operation, nth, mishap }));
    });
}

/** What a case needs of the emulator, also after the mishap. */
export const lagOf = ({ operation, mishap }: CrashCase): string[] =>
    "kill" in mishap && mishap.lag ? [`${operation}#1+:${lag}`] : [];

/** So many of them, picked by a seed; neighbours differ in phase, call and kind. */
export function sample(cases: readonly CrashCase[], count: number, seed: number): CrashCase[] {
    const random = new Random(seed);
    const left = [...cases];
    const kinds = new Map<string, number>();
    const picked: CrashCase[] = [];
    while (picked.length < count && left.length > 0) {
        // Of a few at random the one whose kinds were picked least often so far.
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

const aspectsOf = ({ phase, operation, mishap }: CrashCase): string[] => [phase, operation, nameOfMishap(mishap)];

const nameOfMishap = (mishap: Mishap): string =>
    "fault" in mishap ? mishap.fault : `${mishap.kill} killed ${mishap.when}${mishap.lag ? ", and lists lag" : ""}`;

export const nameOf = ({ phase, operation, nth, mishap }: CrashCase): string =>
    `${phase}: ${operation}#${nth} ${nameOfMishap(mishap)}`;

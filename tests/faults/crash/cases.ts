import type { JournalEntry } from "../../../emulator";
import { Random } from "../../../emulator/world/random";
import type { Phase } from "./program";

/** What happens at a call: a fault of the emulator in short, or a kill. */
export type Mishap = { fault: string } | { kill: "engine" | "provider"; when: "before" | "after" };

/** One case of the matrix. */
export interface CrashCase {
    phase: Phase;
    operation: string;
    /** Which of the calls of this operation in the phase, counted from 1. */
    nth: number;
    mishap: Mishap;
}

const everywhere = [
    ...["400", "404,body=html", "500", "502,body=html", "503,body=empty,retryAfterMs=1000", "502,body=html,carriedOut"],
    ...["429,retryAfterMs=1000", "429,retryAfterMs=1000,retryAfterForm=date"],
    ...["reset-before", "reset-after", "reset-middle", "delay,ms=500", "malformed", "truncated", "unknowns"],
];
const ofChanges = ["stale,ms=1000", "hidden,ms=1000", "stuck,ms=2000"];
const unstable = ["status,status=UNSTABLE,ms=1500"];

/** The faults that make sense at a call. */
function faultsOf(operation: string, method: string): string[] {
    return [
        ...everywhere,
        ...(operation.startsWith("list") ? ["omit"] : []),
        ...(method === "GET" ? [] : ofChanges),
        ...(/^(createService|resizeService|setHA)$/.test(operation) ? unstable : []),
        ...(/^(create|resize)ReplicaSet$/.test(operation) ? ["status,status=error,ms=1500"] : []),
        ...(operation === "createPeering" ? ["peeringFails,message=no route,ms=1000", "peeringFails"] : []),
    ];
}

const kills: readonly Mishap[] = (["engine", "provider"] as const).flatMap((kill) =>
    (["before", "after"] as const).map((when) => ({ kill, when })),
);

/** Every call of a run with everything that can happen to it. */
export function casesOf(phase: Phase, calls: readonly JournalEntry[]): CrashCase[] {
    const counts = new Map<string, number>();
    return calls.flatMap(({ operationId: operation, method }) => {
        if (operation === undefined) return [];
        const nth = (counts.get(operation) ?? 0) + 1;
        counts.set(operation, nth);
        const mishaps = [...faultsOf(operation, method).map((fault) => ({ fault })), ...kills];
        return mishaps.map((mishap) => ({ phase, operation, nth, mishap }));
    });
}

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
            for (const aspect of aspectsOf(one)) kinds.set(aspect, (kinds.get(aspect) ?? 0) + 1);
        }
    }
    return picked;
}

const aspectsOf = ({ phase, operation, mishap }: CrashCase): string[] => [phase, operation, nameOfMishap(mishap)];

const nameOfMishap = (mishap: Mishap): string =>
    "fault" in mishap ? mishap.fault : `${mishap.kill} killed ${mishap.when}`;

export const nameOf = ({ phase, operation, nth, mishap }: CrashCase): string =>
    `${phase}: ${operation}#${nth} ${nameOfMishap(mishap)}`;

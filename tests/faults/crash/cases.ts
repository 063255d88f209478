import type { Disruption, Kill } from "./phases";
import { phaseNames, planOf, type Phase } from "./phases";
import type { JournalEntry } from "../../../emulator";
import { Random } from "../../../emulator/world/random";

/** One case of the matrix. */
export interface CrashCase {
    phase: Phase;
    /** The operation of the request: the first one of the run, or `*` for each request. */
    operation: string;
    disruption: Disruption;
}

const kills: readonly Kill[] = [
    { kill: "engine", when: "before" },
    { kill: "engine", when: "after" },
    { kill: "provider", when: "before" },
    { kill: "provider", when: "after" },
    { kill: "all", when: "after" },
];

/** One request for each fault. */
const faults: Readonly<Record<string, readonly string[]>> = {
    listServices: ["omit", "malformedEntry", "401"],
    getService: ["404", "408,body=empty", "520,body=html"],
    createVpc: ["reset-before", "reset-after", "403,body=html"],
    createPeering: ["peeringFails,message=no route,ms=1000", "peeringFails", "500", "truncated"],
    createService: ["502,body=html,carriedOut", "reset-middle", "hidden,ms=1000", "unknowns"],
    createReplicaSet: ["malformed", "429,retryAfterMs=1000", "503,body=empty,retryAfterMs=1000"],
    resizeService: ["400", "302,body=html", "stale,ms=1000", "status,status=UNSTABLE,ms=1500"],
    setHA: ["502,body=html", "stuck,ms=2000", "delay,ms=500"],
    resizeReplicaSet: ["429,retryAfterMs=1000,retryAfterForm=date", "status,status=error,ms=1500"],
};

/**
 * How long lists do not show a new resource, in milliseconds: longer than a run takes until it would create a duplicate. Lists
 * show resources in the order of their creation.
 */
export const lagMs = 8_000;

/** One case for each request and each kind of kill, one for each fault, and one for each other phase. */
export function casesOf(requests: ReadonlyMap<Phase, readonly JournalEntry[]>): CrashCase[] {
    /** The first phase with a request of each operation. */
    const phases = new Map<string, Phase>();
    for (const [phase, journal] of requests) {
        for (const { operationId } of journal) {
            if (operationId !== undefined && !phases.has(operationId)) {
                phases.set(operationId, phase);
            }
        }
    }
    const at = (operation: string, disruption: Disruption): CrashCase[] => {
        const phase = phases.get(operation);
        return phase === undefined ? [] : [{ phase, operation, disruption }];
    };
    return [
        ...[...phases.keys()].flatMap((operation) => kills.flatMap((kill) => at(operation, kill))),
        ...at("createService", { kill: "engine", when: "after", lag: true }),
        ...Object.entries(faults).flatMap(([operation, some]) => some.flatMap((fault) => at(operation, { fault }))),
        ...phaseNames.flatMap((phase) => {
            const { at: request } = planOf(phase);
            return request === undefined ? [] : [{ phase, ...request }];
        }),
    ];
}

/** The emulator faults that a case needs, which stay active after the disruption. */
export const lagOf = ({ operation, disruption }: CrashCase): string[] =>
    "kill" in disruption && disruption.lag ? [`${operation}#1+:unlisted,ms=${lagMs}`] : [];

/** Selects this number of cases with a seed. */
export function sample(cases: readonly CrashCase[], count: number, seed: number): CrashCase[] {
    const random = new Random(seed);
    const left = [...cases];
    return Array.from({ length: Math.min(count, cases.length) }).flatMap(() =>
        left.splice(random.integer(0, left.length), 1),
    );
}

const nameOfDisruption = (disruption: Disruption): string =>
    "fault" in disruption
        ? `${disruption.lasts ? "and all later ones " : ""}${disruption.fault}`
        : `${disruption.kill === "all" ? "all terminated" : `${disruption.kill} killed`} ${disruption.when}${disruption.lag ? ", and lists lag" : ""}`;

export const nameOf = ({ phase, operation, disruption }: CrashCase): string =>
    `${phase}: ${operation} ${nameOfDisruption(disruption)}`;

import type { JournalEntry } from "../../../emulator";
import type { Declaration, Variant } from "./program";

/** The sandbox that a case starts with. Only in `changed`, the state does not protect the database. */
export type Start = "nothing" | "created" | "changed";

/** SIGKILL to the engine or to the provider, or SIGTERM to all processes of the run, as when a pipeline is cancelled. */
interface Kill {
    readonly kill: "engine" | "provider" | "all";
    readonly when: "before" | "after";
}

/** What happens at a request: a kill, or a fault in the emulator's short form. */
export type Disruption = Kill | { readonly fault: string };

/** One way to run the engine. The disruption happens at one of its requests. */
export interface PhasePlan {
    readonly start: Start;
    readonly program: Declaration;
    /** What the program of this phase changes. */
    readonly variant?: Variant;
    readonly before?: readonly string[];
    readonly command: readonly string[];
    /** The disrupted request, and how it is disrupted. By default, each request of the run, by each kill. */
    readonly at?: { readonly operation: string; readonly disruption: Disruption };
    /** After the disrupted run, the documented steps delete the database: at once, or after the deletion was permitted. */
    readonly deletion?: "at once" | "permitted";
    readonly replaces?: true;
    /** The program that the runs after the disrupted one declare. Undefined after a destroy. */
    readonly end: Declaration | undefined;
}

/** A `pulumi up` without options. */
export const plainUp = ["up", "--yes", "--skip-preview"];
export const destroy = ["destroy", "--yes", "--skip-preview"];
/** Removes Pulumi's own protection, so that only the provider refuses a deletion. */
export const unprotect = ["state", "unprotect", "--all", "--yes"];
const killed: Disruption = { kill: "engine", when: "after" };
const unprotected = { isUnprotected: true } as const;
/** The second program, for the same database. */
const change = { start: "created", program: "second", command: plainUp, end: "second" } as const;
const create = { start: "nothing", program: "first", command: plainUp, end: "first" } as const;
const deleted = { program: "first", end: undefined } as const;

const phases = {
    create,
    change,
    destroy: { start: "changed", program: "second", variant: unprotected, command: destroy, end: undefined },

    refresh: {
        ...change,
        program: "first",
        command: ["refresh", "--yes", "--skip-preview"],
        at: { operation: "getService", disruption: killed },
        end: "first",
    },
    unanswered: {
        ...create,
        variant: { timeout: "30s" },
        at: { operation: "createService", disruption: { fault: "unanswered,carriedOut" } },
    },

    // Without protection, Pulumi's plan is carried out.
    rename: {
        ...create,
        start: "changed",
        variant: { ...unprotected, isRenamed: true },
        replaces: true,
        at: { operation: "deleteService", disruption: killed },
    },

    // The run permits the deletion, and everything else in it can fail.
    permission: {
        ...change,
        variant: unprotected,
        at: { operation: "resizeService", disruption: { fault: "400" } },
        deletion: "at once",
        end: undefined,
    },
    creation: {
        ...create,
        ...deleted,
        at: { operation: "createService", disruption: killed },
        deletion: "permitted",
    },

    // Pulumi asks for a deletion that the state must refuse.
    protectedDestroy: {
        ...change,
        ...deleted,
        before: unprotect,
        command: destroy,
        at: { operation: "deletePeering", disruption: killed },
        deletion: "permitted",
    },
} as const satisfies Readonly<Record<string, PhasePlan>>;

export type Phase = keyof typeof phases;

export const planOf = (phase: Phase): PhasePlan => phases[phase];

export interface CrashCase {
    readonly phase: Phase;
    /** The operation of the request: the first one of the run. */
    readonly operation: string;
    readonly disruption: Disruption;
}

const kills: readonly Kill[] = [
    { kill: "engine", when: "before" },
    { kill: "engine", when: "after" },
    { kill: "provider", when: "before" },
    { kill: "provider", when: "after" },
    { kill: "all", when: "after" },
];

/** One case for each request, in the first phase that sends it, and each kind of kill, and one for each other phase. */
export function casesOf(requests: ReadonlyMap<Phase, readonly JournalEntry[]>): CrashCase[] {
    const sent = [...requests].flatMap(([phase, journal]) =>
        journal.flatMap(({ operationId }) => (operationId === undefined ? [] : [[operationId, phase] as const])),
    );
    // Of several entries with the same key, the last one counts.
    const first = [...new Map(sent.reverse())];
    return [
        ...first.flatMap(([operation, phase]) => kills.map((disruption) => ({ phase, operation, disruption }))),
        ...(Object.keys(phases) as Phase[]).flatMap((phase) => {
            const { at } = planOf(phase);
            return at === undefined ? [] : [{ phase, ...at }];
        }),
    ];
}

const describe = (one: Disruption): string =>
    "fault" in one ? one.fault : `${one.kill === "all" ? "all terminated" : `${one.kill} killed`} ${one.when}`;

export const nameOf = ({ phase, operation, disruption }: CrashCase): string =>
    `${phase}: ${operation} ${describe(disruption)}`;

import type { Protection } from "./checks";
import { urnOf, type Declaration, type Variant } from "./program";

/** The sandbox that a case starts with. Except in the last two, the state protects the database. */
export type Start = "nothing" | "created" | "unprotected" | "changed";

/** One way to run the engine. The disruption happens at one of its requests. */
export interface PhasePlan {
    readonly start: Start;
    readonly program: Declaration;
    /** What the program of this phase changes. */
    readonly variant?: Variant;
    /** Where the stack declares the protection of its services. By default, nowhere: they are protected. */
    readonly protection?: Protection;
    /** A Pulumi command before the run. */
    readonly before?: readonly string[];
    readonly command: readonly string[];
    /** The disrupted request, `*` for all of them, and how it is disrupted. By default, each request of the run, by each kill. */
    readonly at?: { readonly operation: string; readonly disruption: Disruption };
    /** After the disrupted run, the documented steps delete the database: at once, or after the deletion was permitted. */
    readonly deletion?: "at once" | "permitted";
    /** Without protection, Pulumi replaces the database. */
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
const outage = { operation: "*", disruption: { fault: "reset-before", lasts: true } } as const;
/** The second program, for the same database. */
const change = { start: "created", program: "second", command: plainUp, end: "second" } as const;
const create = { start: "nothing", program: "first", command: plainUp, end: "first" } as const;
const unprotected = { start: "unprotected", protection: { config: false }, replaces: true } as const;

/** The phases of the matrix. */
const phases = {
    create,
    change,
    destroy: { start: "changed", program: "second", command: destroy, end: undefined },

    refresh: {
        start: "created",
        program: "first",
        command: ["refresh", "--yes", "--skip-preview"],
        at: { operation: "getService", disruption: killed },
        end: "first",
    },
    aliasRename: { ...change, variant: { rename: "alias" }, at: { operation: "resizeService", disruption: killed } },
    unanswered: {
        ...create,
        variant: { timeout: "30s" },
        at: { operation: "createService", disruption: { fault: "unanswered,carriedOut" } },
    },

    // Without protection, Pulumi's plan is carried out.
    rename: {
        ...change,
        ...unprotected,
        variant: { rename: "withoutAlias" },
        at: { operation: "deleteService", disruption: killed },
    },
    taint: {
        ...create,
        ...unprotected,
        variant: { deletesFirst: true },
        before: ["state", "taint", urnOf("Service", "db"), "--yes"],
        at: { operation: "createService", disruption: killed },
    },

    // The run permits the deletion, and everything else in it can fail.
    permission: {
        ...change,
        protection: { input: false, config: true },
        at: { operation: "resizeService", disruption: { fault: "400" } },
        deletion: "at once",
        end: undefined,
    },
    permissionOnly: {
        ...change,
        program: "first",
        protection: { config: false },
        at: outage,
        deletion: "at once",
        end: undefined,
    },
    creation: {
        ...create,
        at: { operation: "createService", disruption: killed },
        deletion: "permitted",
        end: undefined,
    },

    // Pulumi asks for a deletion that the state must refuse.
    protectedDestroy: {
        ...change,
        program: "first",
        before: unprotect,
        command: destroy,
        at: { operation: "deletePeering", disruption: killed },
        deletion: "permitted",
        end: undefined,
    },
} as const satisfies Readonly<Record<string, PhasePlan>>;

export type Phase = keyof typeof phases;

export const phaseNames = Object.keys(phases) as Phase[];

export function planOf(phase: Phase): PhasePlan {
    return phases[phase];
}

/** What happens at a request, or at it and all later ones: a fault in the emulator's short form, or a kill. */
export type Disruption = { fault: string; lasts?: true } | Kill;

/**
 * SIGKILL to the engine or to the provider, or SIGTERM to all processes of the run, as when a pipeline is cancelled. The
 * next run starts at once. With `lag`, it starts before lists show what the request created.
 */
export interface Kill {
    kill: "engine" | "provider" | "all";
    when: "before" | "after";
    lag?: true;
}

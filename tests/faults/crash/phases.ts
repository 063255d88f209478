import { secretsProvider } from "../../support/engine";
import type { Protection } from "./checks";
import { movedStack, renamedStack, rotatedToken, stackName, urnOf, type Declaration, type Variant } from "./program";

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
    /** Pulumi commands before the run. */
    readonly before?: readonly (readonly string[])[];
    /** The name of the stack after them. */
    readonly stack?: string;
    readonly command: readonly string[];
    /** The token that the API accepts from this run on. By default, the previous one, which is in the environment. */
    readonly token?: string;
    /** The disrupted request, `*` for all of them, and how it is disrupted. By default, each request of the run, by each kill. */
    readonly at?: { readonly operation: string; readonly disruption: Disruption };
    /** After the disrupted run, the documented steps delete the database. */
    readonly deletion?: Deletion;
    /** Without protection, Pulumi replaces the database. */
    readonly replaces?: true;
    /** The program that the runs after the disrupted one declare. Undefined after a destroy. */
    readonly end: Declaration | undefined;
}

/** How the documented steps delete the database. */
export interface Deletion {
    /** Whether a `pulumi destroy` follows the disrupted run at once. It may do only what that run has permitted. */
    readonly atOnce?: true;
    /** What the program changes that permits the deletion. By default, the same as before. */
    readonly variant?: Variant;
    /** The same if the state has two databases. */
    readonly variantOfBoth?: Variant;
}

const up = ["up", "--yes", "--skip-preview"];
export const destroy = ["destroy", "--yes", "--skip-preview"];
/** Removes Pulumi's own protection, so that only the provider refuses a deletion. */
export const unprotect = ["state", "unprotect", "--all", "--yes"];
const db = urnOf("Service", "db");
const allUrns = [urnOf("Vpc", "net"), urnOf("Peering", "peer"), db, urnOf("ReadReplicaSet", "readers")];
/** The database has another name, and the old one is not an alias. */
const withoutAlias: Variant = { rename: "withoutAlias" };
const killed: Disruption = { kill: "engine", when: "after" };
const outage = { operation: "*", disruption: { fault: "reset-before", lasts: true } } as const;
/** The second program, for the same database. */
const change = { start: "created", program: "second", command: up, end: "second" } as const;
const create = { start: "nothing", program: "first", command: up, end: "first" } as const;
const unprotected = { start: "unprotected", protection: { config: false }, replaces: true } as const;

/** The phases of the matrix. */
export const phases = {
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
    stackRename: {
        ...change,
        before: [["stack", "rename", renamedStack]],
        stack: renamedStack,
        at: { operation: "setHA", disruption: killed },
    },
    stateMove: {
        ...change,
        before: [
            ["stack", "init", movedStack, "--no-select", "--secrets-provider", secretsProvider],
            ["state", "move", "--source", stackName, "--dest", movedStack, ...allUrns, "--yes"],
        ],
        stack: movedStack,
        at: { operation: "setEnvironment", disruption: killed },
    },
    // The settings move from the environment to the configuration of the stack.
    rotation: {
        ...change,
        before: [["config", "set", "--secret", "clouddb:accessToken", rotatedToken]],
        token: rotatedToken,
        at: { operation: "resizeService", disruption: { fault: "502,body=html,carriedOut" } },
    },
    unanswered: {
        ...create,
        variant: { timeout: "30s" },
        at: { operation: "createService", disruption: { fault: "unanswered,carriedOut" } },
    },

    // It is unknown whether the API set the new password, and the next program does not declare one.
    revert: {
        ...change,
        variant: { timeout: "20s" },
        at: { operation: "updatePassword", disruption: { fault: "reset-after", lasts: true } },
        end: "first",
    },
    revertAfterCancellation: {
        ...change,
        at: { operation: "updatePassword", disruption: { kill: "all", when: "after" } },
        end: "first",
    },

    // Without protection, Pulumi's plan is carried out.
    rename: {
        ...change,
        ...unprotected,
        variant: withoutAlias,
        at: { operation: "deleteService", disruption: killed },
    },
    taint: {
        ...create,
        ...unprotected,
        variant: { deletesFirst: true },
        before: [["state", "taint", db, "--yes"]],
        at: { operation: "createService", disruption: killed },
    },

    // The run permits the deletion, and everything else in it can fail.
    permission: {
        ...change,
        protection: { input: false, config: true },
        at: { operation: "resizeService", disruption: { fault: "400" } },
        deletion: { atOnce: true },
        end: undefined,
    },
    permissionOnly: {
        ...change,
        program: "first",
        protection: { config: false },
        at: outage,
        deletion: { atOnce: true },
        end: undefined,
    },
    creation: { ...create, at: { operation: "createService", disruption: killed }, deletion: {}, end: undefined },

    // Pulumi asks for a deletion that the state must refuse.
    protectedDestroy: {
        ...change,
        program: "first",
        before: [unprotect],
        command: destroy,
        at: { operation: "deletePeering", disruption: killed },
        deletion: {},
        end: undefined,
    },
    protectedRename: {
        ...change,
        variant: withoutAlias,
        protection: { config: true },
        before: [unprotect],
        command: [...up, "--continue-on-error"],
        at: { operation: "createService", disruption: killed },
        deletion: { variant: {}, variantOfBoth: { rename: "withoutAlias", both: true } },
        end: undefined,
    },
} as const satisfies Readonly<Record<string, PhasePlan>>;

export type Phase = keyof typeof phases;

export const phaseNames = Object.keys(phases) as Phase[];

export function planOf(phase: Phase): PhasePlan {
    return phases[phase];
}

/** A `pulumi up` without options. */
export const plainUp = up;

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

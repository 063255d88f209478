import { urnOf } from "./program";
import type { Declaration } from "./program";

/** What a case begins with: nothing, the first program, or the second one. */
export type Start = "nothing" | "created" | "changed";

/** One way to run the engine, in which something goes wrong at a call. */
export interface PhasePlan {
    readonly start: Start;
    readonly program: Declaration;
    /** The `existingId` line of the database is in the program. */
    readonly adopts?: true;
    readonly command: readonly string[];
    /** Another run always follows, with this program. */
    readonly then?: Declaration;
    /** The command of later runs, where it is not the same one or a plain `pulumi up`. */
    readonly again?: readonly string[];
    /** Another stack declares the same names and runs at the same time. */
    readonly beside?: true;
    /** What is declared at the end; nothing after a destroy. */
    readonly end: Declaration | undefined;
}

const up = ["up", "--yes", "--skip-preview"];

/** The phases of the matrix. */
export const phases = {
    create: { start: "nothing", program: "first", command: up, end: "first" },
    change: { start: "created", program: "second", command: up, end: "second" },
    destroy: { start: "changed", program: "second", command: ["destroy", "--yes", "--skip-preview"], end: undefined },
    refresh: { start: "created", program: "first", command: ["refresh", "--yes", "--skip-preview"], end: "first" },
    "replace by itself": {
        start: "created",
        program: "first",
        adopts: true,
        command: [...up, "--replace", urnOf("Service", "db")],
        then: "first",
        end: "first",
    },
    target: {
        start: "created",
        program: "second",
        command: [...up, "--target", urnOf("Service", "db")],
        then: "second",
        end: "second",
    },
    // After a kill the state may not know what the service already did, and the reverted program is what the state has.
    revert: {
        start: "created",
        program: "second",
        command: up,
        then: "first",
        again: [...up, "--refresh"],
        end: "first",
    },
    beside: { start: "nothing", program: "first", command: up, beside: true, end: "first" },
} as const satisfies Readonly<Record<string, PhasePlan>>;

export type Phase = keyof typeof phases;

export const planOf = (phase: Phase): PhasePlan => phases[phase];

/** `pulumi up` of a run that only has to succeed. */
export const plainUp = up;

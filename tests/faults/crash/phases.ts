import { renamedDatabase, renamedStack, urnOf } from "./program";
import type { Declaration, Rename } from "./program";

/** The sandbox that a case starts with: empty, after the first program, or after the second one. */
export type Start = "nothing" | "created" | "changed";

/** One way to run the engine. The disruption happens at one of its calls. */
export interface PhasePlan {
    readonly start: Start;
    readonly program: Declaration;
    /** The program declares the `existingId` of the database. */
    readonly adopts?: true;
    /** The program gives the database another URN. */
    readonly rename?: Rename;
    /** Pulumi commands before the run. */
    readonly before?: readonly (readonly string[])[];
    /** The name of the stack after them. */
    readonly stack?: string;
    readonly command: readonly string[];
    /** A second run with this program always follows. */
    readonly then?: Declaration;
    /** The command of later runs. By default, `pulumi up`, or the same command if nothing is declared at the end. */
    readonly again?: readonly string[];
    /** Another stack declares the same names and runs at the same time. */
    readonly parallel?: true;
    /** The program that is declared at the end. Undefined after a destroy. */
    readonly end: Declaration | undefined;
}

const up = ["up", "--yes", "--skip-preview"];
const renameInState = ["state", "rename", urnOf("Service", "db"), renamedDatabase, "--yes"];
const renamedUrn = urnOf("Service", renamedDatabase);

/** The phases of the matrix. */
export const phases = {
    create: { start: "nothing", program: "first", command: up, end: "first" },
    change: { start: "created", program: "second", command: up, end: "second" },
    destroy: { start: "changed", program: "second", command: ["destroy", "--yes", "--skip-preview"], end: undefined },
    refresh: { start: "created", program: "first", command: ["refresh", "--yes", "--skip-preview"], end: "first" },
    replace: {
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
    // After a kill, the state may not contain changes that the API has made, and the reverted program matches the state.
    revert: {
        start: "created",
        program: "second",
        command: up,
        then: "first",
        again: [...up, "--refresh"],
        end: "first",
    },
    aliasRename: { start: "created", program: "second", rename: "alias", command: up, end: "second" },
    stateRename: {
        start: "created",
        program: "second",
        rename: "stateRename",
        before: [renameInState],
        command: up,
        end: "second",
    },
    componentRename: { start: "created", program: "second", rename: "component", command: up, end: "second" },
    stackRename: {
        start: "created",
        program: "second",
        before: [["stack", "rename", renamedStack]],
        stack: renamedStack,
        command: up,
        end: "second",
    },
    // The database is its own replacement: the program adopts it.
    replaceRenamed: {
        start: "created",
        program: "first",
        adopts: true,
        rename: "stateRename",
        before: [renameInState],
        command: [...up, "--replace", renamedUrn],
        then: "first",
        end: "first",
    },
    taintRenamed: {
        start: "created",
        program: "first",
        adopts: true,
        rename: "stateRename",
        before: [renameInState, ["state", "taint", renamedUrn, "--yes"]],
        command: up,
        then: "first",
        end: "first",
    },
    excludeRenamed: {
        start: "created",
        program: "second",
        rename: "stateRename",
        before: [renameInState],
        command: [...up, "--exclude", renamedUrn],
        then: "second",
        end: "second",
    },
    continueOnError: { start: "created", program: "second", command: [...up, "--continue-on-error"], end: "second" },
    parallel: { start: "nothing", program: "first", command: up, parallel: true, end: "first" },
} as const satisfies Readonly<Record<string, PhasePlan>>;

export type Phase = keyof typeof phases;

export const planOf = (phase: Phase): PhasePlan => phases[phase];

/** A `pulumi up` without options. */
export const plainUp = up;

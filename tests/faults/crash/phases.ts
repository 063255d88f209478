import { host, secretsProvider } from "../../support/engine";
import { movedStack, renamedDatabase, renamedStack, rotatedToken, stackName, urnOf } from "./program";
import type { Declaration, Variant } from "./program";

/** The sandbox that a case starts with: empty, after the first program, or after the second one. */
export type Start = "nothing" | "created" | "changed";

/** One way to run the engine. The disruption happens at one of its calls. */
export interface PhasePlan {
    readonly start: Start;
    readonly program: Declaration;
    /** The program declares the `existingId` of the database. */
    readonly adopts?: true;
    /** What the program of this phase changes. */
    readonly variant?: Variant;
    /** Pulumi commands before the run. */
    readonly before?: readonly (readonly string[])[];
    /** The name of the stack after them. */
    readonly stack?: string;
    readonly command: readonly string[];
    /** A second run with this program always follows. */
    readonly then?: Declaration;
    /** What that program changes. By default, the same as the first one. */
    readonly thenVariant?: Variant;
    /** The token that the API accepts from this run on. By default, the previous one, which is in the environment. */
    readonly token?: string;
    /** The command of later runs. By default, `pulumi up`, or the same command if nothing is declared at the end. */
    readonly again?: readonly string[];
    /** Another stack, or the same one in another backend, declares the same names and runs at the same time. */
    readonly parallel?: "stack" | "backend";
    /** The dynamic provider does not have this phase. */
    readonly isNativeOnly?: true;
    /** The program that is declared at the end. Undefined after a destroy. */
    readonly end: Declaration | undefined;
}

const up = ["up", "--yes", "--skip-preview"];
const renameInState = ["state", "rename", urnOf("Service", "db"), renamedDatabase, "--yes"];
const allUrns = [
    urnOf("Vpc", "net"),
    urnOf("Peering", "peer"),
    urnOf("Service", "db"),
    urnOf("ReadReplicaSet", "readers"),
];
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
    aliasRename: { start: "created", program: "second", variant: { rename: "alias" }, command: up, end: "second" },
    stateRename: {
        start: "created",
        program: "second",
        variant: { rename: "stateRename" },
        before: [renameInState],
        command: up,
        end: "second",
    },
    componentRename: {
        start: "created",
        program: "second",
        variant: { rename: "component" },
        command: up,
        end: "second",
    },
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
        variant: { rename: "stateRename" },
        before: [renameInState],
        command: [...up, "--replace", renamedUrn],
        then: "first",
        end: "first",
    },
    taintRenamed: {
        start: "created",
        program: "first",
        adopts: true,
        variant: { rename: "stateRename" },
        before: [renameInState, ["state", "taint", renamedUrn, "--yes"]],
        command: up,
        then: "first",
        end: "first",
    },
    excludeRenamed: {
        start: "created",
        program: "second",
        variant: { rename: "stateRename" },
        before: [renameInState],
        command: [...up, "--exclude", renamedUrn],
        then: "second",
        end: "second",
    },
    continueOnError: { start: "created", program: "second", command: [...up, "--continue-on-error"], end: "second" },
    parallel: { start: "nothing", program: "first", command: up, parallel: "stack", end: "first" },
    secondBackend: {
        start: "nothing",
        program: "first",
        variant: { generated: true },
        command: up,
        parallel: "backend",
        end: "first",
    },
    stateMove: {
        start: "created",
        program: "second",
        before: [
            ["stack", "init", movedStack, "--no-select", "--secrets-provider", secretsProvider],
            ["state", "move", "--source", stackName, "--dest", movedStack, ...allUrns, "--yes"],
        ],
        stack: movedStack,
        command: up,
        end: "second",
    },
    // The renamed database keeps its name while another one takes its old URN, and that one is deleted again.
    successor: {
        start: "created",
        program: "first",
        variant: { rename: "alias", successor: true },
        command: up,
        then: "first",
        thenVariant: { rename: "alias" },
        end: "first",
    },
    provider: {
        start: "created",
        program: "first",
        adopts: true,
        variant: { provider: true },
        command: up,
        then: "first",
        isNativeOnly: true,
        end: "first",
    },
    // The settings move from the environment to the configuration of the stack.
    rotation: {
        start: "created",
        program: "second",
        before: [["config", "set", "--secret", "clouddb:accessToken", rotatedToken]],
        token: rotatedToken,
        command: up,
        end: "second",
    },
    unanswered: { start: "created", program: "second", variant: { timeout: "30s" }, command: up, end: "second" },
    unansweredCreation: { start: "nothing", program: "first", variant: { timeout: "30s" }, command: up, end: "first" },
} as const satisfies Readonly<Record<string, PhasePlan>>;

export type Phase = keyof typeof phases;

/** The phases that the tested host has. */
export const phasesOfHost = (Object.keys(phases) as Phase[]).filter(
    (phase) => host === "native" || !planOf(phase).isNativeOnly,
);

export function planOf(phase: Phase): PhasePlan {
    return phases[phase];
}

/** A `pulumi up` without options. */
export const plainUp = up;

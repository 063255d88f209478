import { host, secretsProvider, typeToken } from "../../support/engine";
import { movedStack, renamedDatabase, renamedStack, rotatedToken, stackName, urnOf } from "./program";
import type { Declaration, Existing, Variant } from "./program";
import type { Protection } from "./protection";

/** The sandbox that a case starts with. Except in the last two, the state protects the database. */
export type Start = "nothing" | "created" | "shards" | "unprotected" | "changed";

/** One way to run the engine. The disruption happens at one of its calls. */
export interface PhasePlan {
    readonly start: Start;
    readonly program: Declaration;
    /** The resources whose `existingId` the program declares. */
    readonly adopts?: readonly (keyof Existing)[];
    /** What the program of this phase changes. */
    readonly variant?: Variant;
    /** Where the stack declares the protection of its services. By default, nowhere: they are protected. */
    readonly protection?: Protection;
    /** Pulumi commands before the run. */
    readonly before?: readonly (readonly string[])[];
    /** The name of the stack after them. */
    readonly stack?: string;
    /** The id of the database takes the place of `databaseId` in it. */
    readonly command: readonly string[];
    /** A second run with this program always follows. */
    readonly then?: Declaration;
    /** The token that the API accepts from this run on. By default, the previous one, which is in the environment. */
    readonly token?: string;
    /** The command of later runs. By default, `pulumi up`, or the same command if nothing is declared at the end. */
    readonly again?: readonly string[];
    /** Another stack, or the same one in another backend, declares the same names and runs at the same time. */
    readonly parallel?: "stack" | "backend";
    /** The dynamic provider does not have this phase. */
    readonly isNativeOnly?: true;
    /** The calls of the run. By default, those of the phase without a fault. */
    readonly calls?: CallsOf;
    /** Which of them are disrupted, and how. By default, all. */
    readonly disruptions?: "few" | "firstChanges" | "changes" | "unanswered" | "creations";
    /** There is also a case in which the API is down. */
    readonly hasOutage?: true;
    /** After the disrupted run, the documented steps delete the database. */
    readonly deletion?: Deletion;
    /** Without protection, Pulumi replaces the database. */
    readonly replaces?: true;
    /** The program that is declared at the end. Undefined after a destroy. */
    readonly end: Declaration | undefined;
}

/**
 * The calls of a phase without a fault. Or some of them: of a change, those for the database, for its environment, or for
 * everything else; of a destroy, those for everything else; of a refresh, those for the database.
 */
export type CallsOf =
    | "create"
    | "change"
    | "destroy"
    | "replace"
    | "rename"
    | "refresh"
    | "database"
    | "others"
    | "environment"
    | "removals"
    | "reads"
    | "none";

/** How the documented steps delete the database. */
export interface Deletion {
    /** Whether a `pulumi destroy` follows the disrupted run at once. It may do only what that run has permitted. */
    readonly atOnce?: true;
    /** What the program changes that permits the deletion. By default, the same as before. */
    readonly variant?: Variant;
    /** The same if the state has two databases. */
    readonly variantOfBoth?: Variant;
    /** Pulumi commands before the steps. */
    readonly before?: readonly (readonly string[])[];
}

const up = ["up", "--yes", "--skip-preview"];
export const destroy = ["destroy", "--yes", "--skip-preview"];
/** Removes Pulumi's own protection, so that only the provider refuses a deletion. */
export const unprotect = ["state", "unprotect", "--all", "--yes"];
export const databaseId = "the id of the database";
const db = urnOf("Service", "db");
const allUrns = [urnOf("Vpc", "net"), urnOf("Peering", "peer"), db, urnOf("ReadReplicaSet", "readers")];
/** The database has another name, and the old one is not an alias. */
const withoutAlias: Variant = { rename: "withoutAlias" };
const few = { start: "created", program: "second", command: up, calls: "change", disruptions: "few" } as const;
/** The second program, for the same database. */
const change = { ...few, end: "second" } as const;
/** The run permits the deletion, and everything else in it can fail. */
const permission = { ...few, deletion: { atOnce: true }, end: undefined } as const;
/** Pulumi asks for a deletion that the state must refuse. */
const refusal = { ...few, calls: "others", disruptions: "firstChanges", deletion: {}, end: undefined } as const;
const unprotected = { start: "unprotected", protection: { environment: false } } as const;

/** The phases of the matrix. */
export const phases = {
    create: { start: "nothing", program: "first", command: up, end: "first" },
    change: { start: "created", program: "second", command: up, end: "second" },
    destroy: { start: "changed", program: "second", command: destroy, end: undefined },
    refresh: { start: "created", program: "first", command: ["refresh", "--yes", "--skip-preview"], end: "first" },
    // The database is its own replacement: the program adopts it.
    replace: {
        start: "changed",
        program: "second",
        adopts: ["db"],
        protection: { environment: false },
        command: [...up, "--replace", db],
        then: "second",
        end: "second",
    },
    target: {
        ...change,
        command: [...up, "--target", db],
        then: "second",
        calls: "database",
        disruptions: "changes",
    },
    exclude: { ...change, command: [...up, "--exclude", db], then: "second", calls: "others" },
    // After a kill, the state may not contain changes that the API has made, and the reverted program matches the state.
    revert: { ...change, then: "first", again: [...up, "--refresh"], disruptions: "changes", end: "first" },
    aliasRename: { ...change, variant: { rename: "alias" } },
    stateRename: {
        ...change,
        variant: withoutAlias,
        before: [["state", "rename", db, renamedDatabase, "--yes"]],
    },
    componentRename: { ...change, variant: { rename: "component" } },
    stackRename: { ...change, before: [["stack", "rename", renamedStack]], stack: renamedStack },
    stateMove: {
        ...change,
        before: [
            ["stack", "init", movedStack, "--no-select", "--secrets-provider", secretsProvider],
            ["state", "move", "--source", stackName, "--dest", movedStack, ...allUrns, "--yes"],
        ],
        stack: movedStack,
    },
    parallel: {
        start: "nothing",
        program: "first",
        protection: { environment: false },
        command: up,
        parallel: "stack",
        calls: "create",
        disruptions: "creations",
        end: "first",
    },
    secondBackend: {
        start: "nothing",
        program: "first",
        variant: { generated: true },
        protection: { environment: false },
        command: up,
        parallel: "backend",
        calls: "create",
        disruptions: "creations",
        end: "first",
    },
    // The settings move from the environment to the configuration of the stack.
    rotation: {
        ...change,
        before: [["config", "set", "--secret", "clouddb:accessToken", rotatedToken]],
        token: rotatedToken,
    },
    unanswered: { ...change, variant: { timeout: "30s" }, disruptions: "unanswered" },
    unansweredCreation: {
        start: "nothing",
        program: "first",
        variant: { timeout: "30s" },
        command: up,
        calls: "create",
        disruptions: "unanswered",
        end: "first",
    },

    // Without protection, Pulumi's plan is carried out.
    rename: {
        ...change,
        ...unprotected,
        variant: withoutAlias,
        calls: "rename",
        disruptions: "changes",
        replaces: true,
    },
    taint: {
        ...unprotected,
        program: "first",
        variant: { deletesFirst: true },
        protection: { config: false, environment: true },
        before: [["state", "taint", db, "--yes"]],
        command: up,
        calls: "rename",
        disruptions: "changes",
        replaces: true,
        end: "first",
    },

    permitByInput: {
        ...permission,
        protection: { input: false, environment: true },
        disruptions: "changes",
        hasOutage: true,
    },
    permitByConfig: { ...permission, protection: { config: false, environment: true } },
    permitByEnvironment: { ...permission, protection: { environment: false } },
    permitOnly: {
        ...permission,
        program: "first",
        protection: { environment: false },
        calls: "none",
        hasOutage: true,
    },
    protect: { ...permission, start: "unprotected", protection: { input: true, environment: false } },

    protectedCreate: { ...permission, start: "nothing", program: "first", calls: "create" },
    protectedDestroy: { ...refusal, program: "first", before: [unprotect], command: destroy, calls: "removals" },
    protectedRename: {
        ...refusal,
        variant: withoutAlias,
        protection: { config: true, environment: false },
        before: [unprotect],
        command: [...up, "--continue-on-error"],
        calls: "rename",
        deletion: { variant: {}, variantOfBoth: { rename: "withoutAlias", both: true } },
    },
    protectedReplace: { ...refusal, command: [...up, "--replace", db] },
    protectedTaint: {
        ...refusal,
        before: [["state", "taint", db, "--yes"]],
        deletion: { before: [["state", "untaint", db, "--yes"]] },
    },
    protectedRegion: {
        ...refusal,
        variant: { region: "eu-central-1" },
        protection: { input: true, environment: false },
        deletion: { variant: {} },
    },
    protectedProvider: { ...refusal, variant: { provider: true }, deletion: { variant: {} }, isNativeOnly: true },
    // The second of two databases takes the place of the first one in the program.
    protectedShift: {
        ...refusal,
        start: "shards",
        before: [unprotect],
        variant: { shards: ["PROD"] },
        calls: "environment",
        deletion: { variantOfBoth: { shards: ["DEV", "PROD"] } },
    },
    protectedImport: {
        start: "created",
        program: "first",
        adopts: ["readers"],
        before: [["state", "delete", db, "--force", "--target-dependents", "--yes"]],
        command: [
            ...["import", typeToken("Service"), "db", databaseId],
            ...["--yes", "--skip-preview", "--protect=false", "--generate-code=false"],
        ],
        calls: "reads",
        deletion: { atOnce: true },
        isNativeOnly: true,
        end: undefined,
    },
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

import type { Key } from "../program";
import { untypedResources, type ResourceType } from "../../../provider/resources";
import type { Timeouts } from "../../support/calls";
import type { Values } from "../../support/cases/property";
import type { Properties } from "../../support/properties";

/** One resource in the state of a stack. */
export interface Entry {
    /** The resource of the program that last had it. The engine does not use it. */
    readonly key: Key;
    readonly type: ResourceType;
    readonly urn: string;
    /** The name of its provider. */
    readonly provider: string;
    readonly id: string;
    readonly inputs: Properties;
    readonly outputs: Properties;
    /** The inputs that are an output of another resource, with its URN. */
    readonly dependencies: Readonly<Record<string, string>>;
    readonly timeouts: Timeouts | undefined;
    /** The last operation failed after some of its steps. The next run updates the resource even without a diff. */
    readonly unfinished: boolean;
    /** `pulumi state taint`: the next run replaces the resource without a diff. */
    readonly tainted: boolean;
    /** Deleted before its replacement, which does not exist yet. */
    readonly deletedFirst: boolean;
    /** It was adopted with `existingId`, not created. */
    readonly adopted: boolean;
    /** The inputs that successful runs have declared since its adoption. */
    readonly declared?: ReadonlySet<string> | undefined;
    /** What the resource had when its adoption was complete, by input names. Absent if an earlier run has begun the adoption. */
    readonly found?: Values;
    /** Pulumi's `protect` option. */
    readonly protect: boolean;
}

/** A failed operation of a run. Two entries of one resource can fail. */
export interface Failure {
    readonly key: Key;
    readonly error: unknown;
}

/** Pulumi's `protect` option forbids to delete or to replace an entry. */
export class ProtectedError extends Error {
    constructor(readonly entry: Entry) {
        super(`${entry.urn} is protected.`);
    }
}

/** The id within its parent. */
export const lastId = (id = ""): string => id.split("/").at(-1) ?? "";

/** What did not complete, as the stored state records it. */
export const interruptionOf = ({ values }: Properties): unknown =>
    (values.__record as { readonly interruption?: unknown } | undefined)?.interruption;

/** Whether the next run resumes what an earlier one began: it failed, or only recorded `deletionProtection`. */
export const isIncomplete = ({ outputs }: Pick<Entry, "outputs">): boolean => interruptionOf(outputs) !== undefined;

/** Whether no run has completed the adoption of a resource. Its deletion only removes the entry. */
export const isInAdoption = ({ outputs }: Pick<Entry, "outputs">): boolean => interruptionOf(outputs) === "adoption";

/** Whether the entry permits the deletion of its resource. Without a recorded value, only data is protected. */
export const permitsDeletion = ({ type, outputs }: Pick<Entry, "type" | "outputs">): boolean =>
    (outputs.values.deletionProtection ?? untypedResources[type].hasData) === false && !isInAdoption({ outputs });

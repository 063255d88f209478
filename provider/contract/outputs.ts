import type { Field } from "../inputs/fields";

/** How programs receive one output of a resource. */
export interface OutputField<IsOptional extends boolean = boolean> {
    /** Whether the value may be absent. */
    readonly optional: IsOptional;
    /** Whether the value is always secret. */
    readonly secret: boolean;
    /** Whether the value is the last part of the resource id, which is also known in the preview of an update. */
    readonly fromId: boolean;
    /**
     * Whether the classes derive the value from other outputs: also from those of a state without this output, which an
     * older version has written.
     */
    readonly derived: boolean;
    /** Whether no read shows the value: the state keeps what one response contained. */
    readonly recorded: boolean;
}

/**
 * Classifies every output of a resource. An output does not compile until it is classified, and an output whose type includes
 * undefined must be optional. An output that a program always gets from a resource that it created can be optional as well,
 * although its type does not say so: it may be absent after a read.
 */
export type OutputFields<Outputs> = {
    readonly [Key in keyof Required<Outputs>]: undefined extends Outputs[Key] ? OutputField<true> : OutputField;
};

/** An output that always has a value. */
export const present: OutputField<false> = {
    optional: false,
    secret: false,
    fromId: false,
    derived: false,
    recorded: false,
};

/** An output that may be absent. */
export const maybeAbsent: OutputField<true> = { ...present, optional: true };

/** A secret output, which may be absent. */
export const secretOutput: OutputField<true> = { ...maybeAbsent, secret: true };

/** A secret output that only one response contained. */
export const recordedSecret: OutputField<true> = { ...secretOutput, recorded: true };

/** An output with the same value for each resource of its kind. */
export const constant: OutputField<false> = { ...present, derived: true };

/** A secret output that follows from others. */
export const derivedSecret: OutputField<true> = { ...secretOutput, derived: true };

/** The id of the resource without the id of its parent. */
export const ownId: OutputField<false> = { ...present, fromId: true };

/** Outputs that every resource has. */
export interface CommonOutputs {
    /** The id of the project that contains the resource. */
    readonly projectId: string;
    /** If true, the provider refuses to delete or replace the resource. */
    readonly deletionProtection: boolean | undefined;
}

export const commonOutputs: OutputFields<CommonOutputs> = { projectId: present, deletionProtection: maybeAbsent };

/** The names of the outputs that meet a condition. */
export function outputsWhere<Outputs>(
    outputs: OutputFields<Outputs>,
    condition: (output: OutputField) => boolean,
): readonly string[] {
    const entries: [string, OutputField][] = Object.entries(outputs);
    return entries.filter(([, output]) => condition(output)).map(([name]) => name);
}

/** The names of the properties that are always secret. */
export function secretNames({ fields, outputs }: Readonly<Record<"fields" | "outputs", object>>): readonly string[] {
    const inputs = Object.entries(fields as Readonly<Record<string, Field>>).filter(([, { secret }]) => secret);
    return [...inputs.map(([name]) => name), ...outputsWhere(outputs, ({ secret }) => secret)];
}

import type { Field } from "../base/fields";
import type { Call, Need, Step } from "./step";

/** How an output follows from inputs and other outputs. */
export interface Derivation {
    /** Their names, first those that can decide alone. One that follows from others itself is declared before. */
    readonly from: readonly string[];
    /** Receives their values. The result is unknown if it depends on a value that a preview does not know. */
    readonly derive: (...values: readonly unknown[]) => unknown;
}

/** How programs receive one output of a resource. */
export interface OutputField<IsOptional extends boolean = boolean> {
    /** Whether the value may be absent. */
    readonly optional: IsOptional;
    /** Whether the value is always secret. */
    readonly secret?: true;
    /** Whether the value is the last part of the resource id, which is also known in the preview of an update. */
    readonly fromId?: true;
    /** What the value follows from. Absent if a response or an input contains the value. */
    readonly follows?: Derivation | undefined;
    /**
     * Whether the states of all versions contain a value that follows from others. The classes derive the others themselves,
     * because an unchanged resource keeps the state that an older version has written.
     */
    readonly inEveryState?: true;
    /** Whether no read shows the value: the state keeps what one response contained. */
    readonly recorded?: true;
    /** Whether a creation waits until a response shows the value. */
    readonly awaited?: true;
    /** The value without a declaration, in a response without it, and in a state of a version that did not know it. Absent: it does not change. */
    readonly byDefault?: unknown;
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
export const present: OutputField<false> = { optional: false };

/** An output that may be absent. */
export const maybeAbsent: OutputField<true> = { optional: true };

/** A secret output, which may be absent. */
export const secretOutput: OutputField<true> = { ...maybeAbsent, secret: true };

/** A secret output that only one response contained. */
export const recordedSecret: OutputField<true> = { ...secretOutput, recorded: true };

/** An output with the same value for each resource of its kind. */
export const constant = (value: string): OutputField<false> => ({
    ...present,
    follows: { from: [], derive: () => value },
});

/** A secret output that follows from others. */
export const derivedSecret = (from: readonly string[], derive: Derivation["derive"]): OutputField<true> => ({
    ...secretOutput,
    follows: { from, derive },
});

/** The outputs that follow from these values. */
export function derivedFrom(outputs: object, values: object): Readonly<Record<string, unknown>> {
    const all = new Map<string, unknown>(Object.entries(values));
    const derived = Object.entries(outputs as Readonly<Record<string, OutputField>>).flatMap(([name, { follows }]) => {
        if (follows === undefined) {
            return [];
        }
        all.set(name, follows.derive(...follows.from.map((source) => all.get(source))));
        return [[name, all.get(name)] as const];
    });
    return Object.fromEntries(derived);
}

/** The state with the outputs that follow from the rest of it. */
export const withDerived = <State extends object>({ outputs }: { readonly outputs: object }, state: State): State => ({
    ...state,
    ...derivedFrom(outputs, state),
});

/** The defaults of outputs. */
export function defaultsIn(outputs: object): Readonly<Record<string, unknown>> {
    const names = outputsWhere(outputs, (row) => "byDefault" in row);
    const rows = outputs as Readonly<Record<string, OutputField>>;
    return Object.fromEntries(names.map((name) => [name, rows[name]?.byDefault]));
}

/** These values, and the default of each output that they do not have. */
export const withDefaults = <Values extends object>(outputs: object, values: Values): Values => ({
    ...defaultsIn(outputs),
    ...(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values),
});

/** An output that responses show. */
interface Shown<Item, Path, Value> extends OutputField<undefined extends Value ? true : boolean> {
    readonly read: Read<Item, Path, Value>;
}

/**
 * The value in a response: also null if the resource has none, and undefined if the response does not show it. An output does not
 * have these. `known` is what earlier reads have shown.
 */
type Read<Item, Path, Value> = (item: Item, path: Path, known: object) => Value;
type MaybeRead<Item, Path, Value> = Read<Item, Path, Value | null | undefined>;

/** A part of an object: null if there is no such object, undefined if it does not show the part. */
export const partOf = <Whole, Part>(whole: Whole | undefined, part: (whole: Whole) => Part): Part | null =>
    whole === undefined ? null : part(whole);

/** How one operation sets an output to the declared value. */
export interface Setter<Value> {
    /** The request that sets it. */
    readonly set: (value: NonNullable<Value>) => Call;
    /** What its step does, for the lines of a plan. */
    readonly title: (from: unknown, to: unknown) => string;
    /** The state in which the API accepts the request. */
    readonly needs?: Need;
    /** The other outputs that change with it. */
    readonly affects?: (to: unknown) => Step["affects"];
    /** What the user can do if the API cannot make the change. */
    readonly ifUnsupported?: (from: unknown) => string;
}

/** The rows of a table of outputs that responses of this type show, with what sets them. The path is that of the collection. */
export const outputsIn = <Item, Path = unknown>() => ({
    shown: <Value>(read: MaybeRead<Item, Path, Value>, setter?: Setter<Value>) => ({
        ...present,
        read: read as Read<Item, Path, Value>,
        ...setter,
    }),
    maybeShown: <Value>(read: MaybeRead<Item, Path, Value>) => ({
        ...maybeAbsent,
        read: read as Read<Item, Path, Value | undefined>,
    }),
    /** An output whose input has a default. */
    withDefault: <Value>(byDefault: Value, read: Read<Item, Path, Value | undefined>, setter?: Setter<Value>) => ({
        ...present,
        byDefault,
        read: read as Read<Item, Path, Value>,
        ...setter,
    }),
    /** The id of the resource without the id of its parent. */
    ownId: (read: (item: Item) => string) => ({ ...present, fromId: true as const, read }),
});

/** The values of the outputs that these rows describe. */
export type ObservedOf<Rows> = {
    readonly [Name in keyof Rows]: Rows[Name] extends { readonly read: (...response: never) => infer Value }
        ? Value
        : never;
};

type ResponseOf<Rows> =
    Rows[keyof Rows] extends Shown<infer Item, infer Path, unknown> ? [Item, Path, known?: object] : never;

/**
 * The mapping from a response to the outputs that these rows describe. It leaves out those that the response does not show: their
 * last known value still counts.
 */
export function observing<Rows extends object>(
    rows: Rows,
): (...response: ResponseOf<Rows>) => Partial<ObservedOf<Rows>> {
    const all = Object.entries(rows as Readonly<Record<string, Shown<unknown, unknown, unknown>>>);
    return (item, path, known = {}) => {
        const values = all.map(([name, { read }]) => [name, read(item, path, known)] as const);
        const shown = values.filter(([, value]) => value !== undefined);
        return Object.fromEntries(shown.map(([name, value]) => [name, value ?? undefined])) as Partial<
            ObservedOf<Rows>
        >;
    };
}

/** Outputs that every resource has. */
export interface CommonOutputs {
    /** The id of the project that contains the resource. */
    readonly projectId: string;
    /** If true, the provider refuses to delete or replace the resource. */
    readonly deletionProtection: boolean | undefined;
}

export const commonOutputs: OutputFields<CommonOutputs> = { projectId: present, deletionProtection: maybeAbsent };

/** The names of the outputs that meet a condition. */
export function outputsWhere(outputs: object, condition: (output: OutputField) => boolean | undefined): string[] {
    const entries = Object.entries(outputs as Readonly<Record<string, OutputField>>);
    return entries.filter(([, output]) => condition(output)).map(([name]) => name);
}

/** The names of the outputs that responses show. */
export const shownNames = (outputs: object): string[] => outputsWhere(outputs, (output) => "read" in output);

/** These values, by whether a read shows them or only the state holds them. */
export function byVisibility(outputs: object, values: object): Record<"shown" | "held", Record<string, unknown>> {
    const names = new Set(shownNames(outputs));
    const those = (isShown: boolean) => Object.entries(values).filter(([name]) => names.has(name) === isShown);
    return { shown: Object.fromEntries(those(true)), held: Object.fromEntries(those(false)) };
}

/** The names of the properties that are always secret. */
export function secretNames({ fields, outputs }: Readonly<Record<"fields" | "outputs", object>>): readonly string[] {
    const inputs = Object.entries(fields as Readonly<Record<string, Field>>).filter(([, { secret }]) => secret);
    return [...inputs.map(([name]) => name), ...outputsWhere(outputs, ({ secret }) => secret)];
}

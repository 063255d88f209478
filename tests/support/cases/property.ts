import type { Emulator } from "../../../emulator";
import type { OperationId } from "../../../provider/api/contract";
import type { ResourceType } from "../../../provider/resources";

export type Values = Readonly<Record<string, unknown>>;

export type ChangingOperation = Exclude<OperationId, `${"get" | "list" | "delete"}${string}`>;

export type Announcements = Readonly<Partial<Record<ChangingOperation, RegExp>>>;

/**
 * What inputs refer to: two resources of each kind, by their ids within their parents. The second one is in another parent. In a
 * program of the engine, each of them is an output.
 */
export interface Refs extends Readonly<Record<ResourceType, readonly [string, string]>> {
    /** VPCs without services and peerings, so that a replacement can delete them. */
    readonly emptyVpcs: readonly [string, string];
    /** The id of the resource itself, after its creation. */
    readonly itself: string;
    /** The path of a file with a password, and the name of a variable with one. */
    readonly passwordFile: string;
    readonly passwordVariable: string;
    /** A time after the creation of the services, plus this number of milliseconds. */
    readonly time: (laterMs: number) => string;
}

type Pair<T> = readonly [T, T];

/**
 * The test cases of one input, and what it means for the API. The random programs, the plans, previews and changes with the
 * engine, the model and the tables of the pages are derived from it. A new input does not compile without one.
 */
export interface PropertyCase<Value, Item = unknown> {
    /** The values before and after a change. An input without a value is not declared. */
    readonly values: Pair<Value | undefined> | ((refs: Refs) => Pair<Value | undefined>);
    /** Inputs that are declared together with it before and after the change. */
    readonly beside?: Pair<Values> | ((refs: Refs) => Pair<Values>);
    readonly replaces?: true;
    /** The operations that a change in place sends, in order, and their preview lines. Without any, only the state changes. */
    readonly announced?: Announcements;
    /** The operations of a change between two values. By default, all that are announced. */
    readonly calls?: (from: unknown, to: unknown) => readonly ChangingOperation[];
    /** The complete preview lines of the change, for a service that declares each first value. Only services have them. */
    readonly lines?: readonly string[];
    /** The inputs whose values the API accepts only together. Their values are in `together`. */
    readonly group?: string;
    /** How the engine shows the change. By default, as an update or a replacement of this property. */
    readonly shows?: Values;
    /** Whether the input has no effect after the creation. */
    readonly isIgnored?: true;
    /** The type of the output. A question mark means that it is optional. By default, no response contains it. */
    readonly shown?: "string" | "string?" | "number" | "boolean" | "size?" | "object" | "object?" | "list";
    /** The value that the API shows. This mapping is written by hand and independent of the provider's. */
    readonly wire?: (item: Item) => unknown;
    /** Whether a secret is in force, as the emulator says. Each secret that a request contains has it. */
    readonly isInForce?: (emulator: Emulator, id: string, value: string) => boolean;
}

/** The test cases of all inputs of a kind, in the order of the steps of a plan. */
export type PropertyCases<Inputs, Item> = {
    readonly [Name in keyof Required<Inputs>]: PropertyCase<Required<Inputs>[Name], Item>;
};

/** The inputs before and after the change of a property. */
export function changeOf(name: string, { values, beside = [{}, {}] }: PropertyCase<unknown>, refs: Refs): Pair<Values> {
    const pair = typeof values === "function" ? values(refs) : values;
    const others = typeof beside === "function" ? beside(refs) : beside;
    const at = (index: 0 | 1) => ({
        ...others[index],
        ...(pair[index] === undefined ? {} : { [name]: pair[index] }),
    });
    return [at(0), at(1)];
}

/** The operations of the change of a property from one value to another. */
export const callsOf = ({ announced = {}, calls }: PropertyCase<unknown>, from: unknown, to: unknown) =>
    calls?.(from, to) ?? (Object.keys(announced) as ChangingOperation[]);

/** Whether only the state records the input. */
export const isStateOnly = ({ replaces, announced, isIgnored }: PropertyCase<unknown>): boolean =>
    replaces !== true && announced === undefined && isIgnored !== true;

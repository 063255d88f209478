import type { StateRecord } from "../model/state";
import { valuesAfter, type Call, type Step } from "../model/step";
import { type OutputField, secretOutput } from "../model/outputs";
import { plain, same, valueOf, unknown, type Planned, secret, text, type Field, type Test } from "../base/fields";
import type { BodyOf, OperationId } from "../api/contract";

/** A property that one operation sets to the declared value. */
export interface Property<Item, Value> {
    /** Its value in a response. */
    readonly read: (item: Item) => Value;
    readonly output: undefined extends Value ? OutputField<true> : OutputField<false>;
    /** The value without a declaration. Absent: the resource keeps its value. */
    readonly byDefault?: NonNullable<Value>;
    /** A number that the API requires for some values. The step comes before one that lowers it, and after one that raises it. */
    readonly limitedBy?: string;
    /** The request that sets it. */
    readonly set: (value: NonNullable<Value>) => Call;
    /** Its name in the lines of a plan. */
    readonly text: string;
}

type Properties<Item> = Readonly<Record<string, Property<Item, unknown>>>;
type ItemOf<P> = P[keyof P] extends { readonly read: (item: infer Item) => unknown } ? Item : never;

/** What responses say about these properties. */
export type ObservedOf<P> = {
    readonly [Name in keyof P]: P[Name] extends { readonly read: (item: never) => infer Value } ? Value : never;
};

export const property = <Item, Value>(one: Property<Item, Value>): Property<Item, Value> => one;

/** Maps a response to the outputs. */
export function observeProperties<P extends object>(properties: P, item: ItemOf<P>): ObservedOf<P> {
    const all = Object.entries(properties as Properties<ItemOf<P>>);
    return Object.fromEntries(all.map(([name, one]) => [name, one.read(item)] as const)) as unknown as ObservedOf<P>;
}

/** The classification of the outputs. */
export function outputsOf<P extends object>(properties: P) {
    const outputs = Object.entries(properties as Properties<unknown>).map(([name, { output }]) => [name, output]);
    return Object.fromEntries(outputs) as {
        [Name in keyof P]: P[Name] extends { readonly output: infer Output } ? Output : never;
    };
}

/** These steps, and those that bring the properties from a state to the declared values, in order. */
export function withPropertySteps<P extends object, Other extends Step>(
    properties: P,
    state: ObservedOf<P> & { readonly record: StateRecord },
    declared: object,
    others: readonly Other[],
): readonly (Step<ObservedOf<P>> | Other)[] {
    const after = valuesAfter(others);
    const first: Step<ObservedOf<P>>[] = [];
    const last: typeof first = [];
    for (const [name, { byDefault, limitedBy = "", set, text }] of Object.entries(properties as Properties<unknown>)) {
        const from = valueOf(state, name);
        const to =
            valueOf(declared, name) ??
            (byDefault === undefined ? from : (valueOf(state.record.defaults, name) ?? byDefault));
        // The request that creates the resource can contain an unknown value.
        if (to !== from && !same(from, to)) {
            const [now, then] = [valueOf(state, limitedBy), after[limitedBy]];
            const falls = typeof now === "number" && typeof then === "number" && then < now;
            (falls ? first : last).push({
                call: set(to as never),
                title: `${text} ${plain(from)} -> ${plain(to)}`,
                note: then === unknown ? `before ${limitedBy} falls or after it rises` : undefined,
                sets: { [name]: to } as Partial<Planned<ObservedOf<P>>>,
            });
        }
    }
    return [...first, ...others, ...last];
}

/** Marks the title of a change that not every version of the API can make. */
export const maybeUnsupported = (title: string): string => `${title} (the API may not support this)`;

/** A secret that one operation sets and that no read shows: the state holds what is in force. */
export interface WriteOnly {
    readonly field: Field;
    readonly output: OutputField<true>;
    /** The request that sets it. */
    readonly set: (value: unknown) => Call;
    /** What messages call it. */
    readonly word: string;
}

/** A secret that this operation sets, in the only property of its body. */
export function writeOnly<Id extends OperationId>(
    operation: Id,
    property: keyof BodyOf<Id> & string,
    { word = property, test = text(), isRequired = false }: { word?: string; test?: Test; isRequired?: boolean } = {},
): WriteOnly {
    return {
        field: { ...secret("update", test), required: isRequired },
        output: secretOutput,
        set: (value) => ({ operation, body: { [property]: value } }) as unknown as Call,
        word,
    };
}

/** A state from which a plan starts. */
interface Recorded {
    readonly record: StateRecord;
}

/** Whether the value that the state holds may not be in force, because the answer to a request was lost. */
export function isUncertain({ record }: Recorded, name: string): boolean {
    return (record.uncertain ?? []).includes(name);
}

/** What each step that sets a secret says about it. */
export function writing({ word }: WriteOnly, isAgain: boolean): Pick<Step, "writes" | "note"> {
    return { writes: word, note: isAgain ? "because the current one is unknown" : undefined };
}

/** The steps that set these secrets. One that is no longer declared keeps its value, which is set again if it is uncertain. */
export function writeOnlySteps<Name extends string>(
    secrets: Readonly<Record<Name, WriteOnly>>,
    state: Recorded,
    declared: object,
): Step<object, Readonly<Record<Name, unknown>>>[] {
    return Object.entries<WriteOnly>(secrets).flatMap(([name, one]) => {
        const from = valueOf(state, name);
        const to = valueOf(declared, name) ?? from;
        const isAgain = isUncertain(state, name);
        if (to === undefined || (!isAgain && same(from, to))) {
            return [];
        }
        const title = `${from === undefined || same(from, to) ? "set" : "change"} the ${one.word}`;
        return [
            {
                ...writing(one, isAgain),
                call: one.set(to),
                title,
                affects: { [name]: to } as Partial<Planned<Record<Name, unknown>>>,
            },
        ];
    });
}

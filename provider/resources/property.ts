import type { StateRecord } from "../contract/state";
import type { Call, Step } from "../contract/step";
import type { OutputField } from "../contract/outputs";
import { plain, same, valueOf } from "../inputs/fields";
import type { Planned } from "../inputs/unknown";

/** A property that one operation sets to the declared value. */
export interface Property<Item, Value> {
    /** Its value in a response. */
    readonly read: (item: Item) => Value;
    readonly output: undefined extends Value ? OutputField<true> : OutputField<false>;
    /** The value without a declaration. Absent: the resource keeps its value. */
    readonly byDefault?: NonNullable<Value>;
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

/** The steps that bring these properties from a state to the declared values. */
export function changesOf<P extends object>(
    properties: P,
    state: ObservedOf<P> & { readonly record: StateRecord },
    declared: object,
): Step<ObservedOf<P>>[] {
    return Object.entries(properties as Properties<unknown>).flatMap(([name, { byDefault, set, text }]) => {
        const from = valueOf(state, name);
        const to =
            valueOf(declared, name) ??
            (byDefault === undefined ? from : (valueOf(state.record.defaults, name) ?? byDefault));
        // The request that creates the resource can contain an unknown value.
        return to === from || same(from, to)
            ? []
            : [
                  {
                      call: set(to as never),
                      title: `${text} ${plain(from)} -> ${plain(to)}`,
                      sets: { [name]: to } as Partial<Planned<ObservedOf<P>>>,
                  },
              ];
    });
}

/** Marks the title of a change that not every version of the API can make. */
export const maybeUnsupported = (title: string): string => `${title} (the API may not support this)`;

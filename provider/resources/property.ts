import type { StateRecord } from "../model/state";
import { valuesAfter, type Call, type Step } from "../model/step";
import type { OutputField } from "../model/outputs";
import { plain, same, valueOf } from "../base/fields";
import { unknown, type Planned } from "../base/unknown";

/** A property that one operation sets to the declared value. */
export interface Property<Item, Value> {
    /** Its value in a response. */
    readonly read: (item: Item) => Value;
    readonly output: undefined extends Value ? OutputField<true> : OutputField<false>;
    /** The value without a declaration. Absent: the resource keeps its value. */
    readonly byDefault?: NonNullable<Value>;
    /** A number that the API requires for some values. The step comes before one that lowers it, and after one that raises it. */
    readonly dependsOn?: string;
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
    for (const [name, { byDefault, dependsOn = "", set, text }] of Object.entries(properties as Properties<unknown>)) {
        const from = valueOf(state, name);
        const to =
            valueOf(declared, name) ??
            (byDefault === undefined ? from : (valueOf(state.record.defaults, name) ?? byDefault));
        // The request that creates the resource can contain an unknown value.
        if (to !== from && !same(from, to)) {
            const [now, then] = [valueOf(state, dependsOn), after[dependsOn]];
            const falls = typeof now === "number" && typeof then === "number" && then < now;
            (falls ? first : last).push({
                call: set(to as never),
                title: `${text} ${plain(from)} -> ${plain(to)}`,
                note: then === unknown ? `before ${dependsOn} falls or after it rises` : undefined,
                sets: { [name]: to } as Partial<Planned<ObservedOf<P>>>,
            });
        }
    }
    return [...first, ...others, ...last];
}

/** Marks the title of a change that not every version of the API can make. */
export const maybeUnsupported = (title: string): string => `${title} (the API may not support this)`;

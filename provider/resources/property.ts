import type { StateRecord } from "../model/state";
import type { Call, Step } from "../model/step";
import type { ObservedOf, Shown } from "../model/outputs";
import { plain, same, valueOf, type Planned } from "../base/fields";

/** How one operation sets an output to the declared value. */
export interface Setting<Value> {
    /** The value without a declaration. Absent: the resource keeps its value. */
    readonly byDefault?: Value;
    /** The request that sets it. */
    readonly set: (value: Value) => Call;
    /** Its name in the lines of a plan. */
    readonly text: string;
}

/** An output that one operation sets to the declared value. */
export const property = <Item, Path, Value>(
    output: Shown<Item, Path, Value>,
    setting: Setting<NonNullable<Value>>,
): Shown<Item, Path, Value> & Setting<NonNullable<Value>> => ({ ...output, ...setting });

/** The steps that bring the properties of this table from a state to the declared values. */
export function propertySteps<Rows extends object>(
    rows: Rows,
    state: ObservedOf<Rows> & { readonly record: StateRecord },
    declared: object,
): Step<ObservedOf<Rows>>[] {
    return settingsIn(rows).flatMap(([name, { byDefault, set, text }]) => {
        const from = valueOf(state, name);
        const to =
            valueOf(declared, name) ??
            // A state that an older version has written may lack a newer property.
            (byDefault === undefined || from === undefined
                ? from
                : (valueOf(state.record.defaults, name) ?? byDefault));
        // The request that creates the resource can contain an unknown value.
        if (to === from || same(from, to)) {
            return [];
        }
        const sets = { [name]: to } as Partial<Planned<ObservedOf<Rows>>>;
        return [{ call: set(to), title: `${text} ${plain(from)} -> ${plain(to)}`, sets }];
    });
}

const settingsIn = (rows: object): [string, Setting<unknown>][] =>
    Object.entries(rows as Readonly<Record<string, Setting<unknown>>>).filter(([, row]) => "set" in row);

/** Marks the title of a change that not every version of the API can make. */
export const maybeUnsupported = (title: string): string => `${title} (the API may not support this)`;

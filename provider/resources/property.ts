import type { StateRecord } from "../model/state";
import { valuesAfter, type Call, type Step } from "../model/step";
import type { ObservedOf, Shown } from "../model/outputs";
import { plain, same, valueOf, unknown, type Planned } from "../base/fields";

/** How one operation sets an output to the declared value. */
export interface Setting<Value> {
    /** The value without a declaration. Absent: the resource keeps its value. */
    readonly byDefault?: Value;
    /** A number that the API requires for some values. The step comes before one that lowers it, and after one that raises it. */
    readonly limitedBy?: string;
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

/** These steps, and those that bring the properties of this table from a state to the declared values, in order. */
export function withPropertySteps<Rows extends object, Other extends Step>(
    rows: Rows,
    state: ObservedOf<Rows> & { readonly record: StateRecord },
    declared: object,
    others: readonly Other[],
): readonly (Step<ObservedOf<Rows>> | Other)[] {
    const after = valuesAfter(others);
    const first: Step<ObservedOf<Rows>>[] = [];
    const last: typeof first = [];
    for (const [name, { byDefault, limitedBy = "", set, text }] of settingsIn(rows)) {
        const from = valueOf(state, name);
        const to =
            valueOf(declared, name) ??
            // A state that an older version has written may lack a newer property.
            (byDefault === undefined || from === undefined
                ? from
                : (valueOf(state.record.defaults, name) ?? byDefault));
        // The request that creates the resource can contain an unknown value.
        if (to !== from && !same(from, to)) {
            const [now, then] = [valueOf(state, limitedBy), after[limitedBy]];
            const falls = typeof now === "number" && typeof then === "number" && then < now;
            (falls ? first : last).push({
                call: set(to),
                title: `${text} ${plain(from)} -> ${plain(to)}`,
                note: then === unknown ? `before ${limitedBy} falls or after it rises` : undefined,
                sets: { [name]: to } as Partial<Planned<ObservedOf<Rows>>>,
            });
        }
    }
    return [...first, ...others, ...last];
}

const settingsIn = (rows: object): [string, Setting<unknown>][] =>
    Object.entries(rows as Readonly<Record<string, Setting<unknown>>>).filter(([, row]) => "set" in row);

/** Marks the title of a change that not every version of the API can make. */
export const maybeUnsupported = (title: string): string => `${title} (the API may not support this)`;

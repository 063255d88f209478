import type { StateRecord } from "../model/state";
import type { Step } from "../model/step";
import { defaultsIn, type ObservedOf, type Setter } from "../model/outputs";
import { same, valueOf, type Planned } from "../base/fields";

type StateOf<Rows> = ObservedOf<Rows> & { readonly record: StateRecord };

/**
 * The value of an input in a plan. Declared `replicaCount: 1`: 1. Not declared: its default, 0; of a service that was adopted with 2
 * replicas, 2. Without a default (`memoryGbs`), the present one.
 */
export function wanted<Rows extends object, Name extends keyof Rows & string>(
    rows: Rows,
    state: StateOf<Rows>,
    declared: object,
    name: Name,
): Planned<ObservedOf<Rows>>[Name] {
    const defaults = defaultsIn(rows);
    const kept = name in defaults ? (valueOf(state.record.defaults ?? state, name) ?? defaults[name]) : state[name];
    return (valueOf(declared, name) ?? kept) as never;
}

/** The steps that bring the properties of this table from a state to the declared values. */
export const propertySteps = <Rows extends object>(
    rows: Rows,
    state: StateOf<Rows>,
    declared: object,
): Step<ObservedOf<Rows>>[] =>
    settersIn(rows).flatMap(([name, { set, title, needs, affects, ifUnsupported }]) => {
        const [from, to]: unknown[] = [state[name], wanted(rows, state, declared, name)];
        // The request that creates the resource can contain an unknown value.
        const step: Step<ObservedOf<Rows>> = {
            call: set(to as object),
            title: title(from, to),
            needs,
            sets: { [name]: to } as Partial<Planned<ObservedOf<Rows>>>,
            affects: affects?.(to),
            ifUnsupported: ifUnsupported?.(from),
        };
        return to === from || same(from, to) ? [] : [step];
    });

const settersIn = <Rows extends object>(rows: Rows) =>
    Object.entries(rows).filter(([, row]) => "set" in row) as [keyof Rows & string, Setter<unknown>][];

/** Marks the title of a change that not every version of the API can make. */
export const maybeUnsupported = (title: string): string => `${title} (the API may not support this)`;

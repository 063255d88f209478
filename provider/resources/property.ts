import type { StateRecord } from "../model/state";
import { valuesAfter, type Call, type Step } from "../model/step";
import { type ObservedOf, type OutputField, secretOutput, type Shown } from "../model/outputs";
import { plain, same, valueOf, unknown, type Planned, secret, text, type Field, type Test } from "../base/fields";
import type { BodyOf, OperationId } from "../api/contract";

/** How one operation sets an output to the declared value. */
export interface Setting<Value> {
    /** The value without a declaration. Absent: the resource keeps its value. */
    readonly byDefault?: Value;
    /** A number that the API requires for some values. The step comes before one that lowers it, and after one that raises it. */
    readonly dependsOn?: string;
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
    for (const [name, { byDefault, dependsOn = "", set, text }] of settingsIn(rows)) {
        const from = valueOf(state, name);
        const to =
            valueOf(declared, name) ??
            (byDefault === undefined ? from : (valueOf(state.record.defaults, name) ?? byDefault));
        // The request that creates the resource can contain an unknown value.
        if (to !== from && !same(from, to)) {
            const [now, then] = [valueOf(state, dependsOn), after[dependsOn]];
            const falls = typeof now === "number" && typeof then === "number" && then < now;
            (falls ? first : last).push({
                call: set(to),
                title: `${text} ${plain(from)} -> ${plain(to)}`,
                note: then === unknown ? `before ${dependsOn} falls or after it rises` : undefined,
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

import type { BodyOf, OperationId } from "../api/contract";
import { secretOutput, type OutputField } from "../model/outputs";
import type { StateRecord } from "../model/state";
import type { Call, Step } from "../model/step";
import type { Planned } from "../base/unknown";
import { same, secret, text, valueOf, type Field, type Test } from "../base/fields";

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

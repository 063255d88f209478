import { entriesOf, same, valueOf, type Field, type Fields } from "../base/fields";
import { protectionInput } from "./metadata";
import { planFor } from "./plan";
import type { Declared, Resource, State } from "../model/resource";
import type { Call } from "../model/step";

/**
 * The inputs of a program that lead to this state: the declared ones, and those that have drifted. Without them, each
 * refresh would show the same drift again.
 */
export function declaredInputs(resource: Resource, state: State, observed: readonly string[]): Record<string, unknown> {
    const pick = (names: readonly string[]) =>
        Object.fromEntries(Object.entries(state).filter(([name]) => names.includes(name)));
    const { record } = state;
    const names = [...record.declared, "projectId", protectionInput];
    const declared = { ...pick(names), __urn: record.urn, __timeouts: record.timeouts };
    if (record.imported === true) {
        return { ...declared, ...allInputs(resource.fields, state) };
    }
    if (record.declared.length === 0) {
        // The program only reads the resource with `.get`.
        return declared;
    }
    // An undeclared property has drifted if declaring its current value would change the plan.
    const callsWith = (inputs: object) => callsOf(resource, state, inputs);
    const left = callsWith(declared);
    const drifted = observed.filter(
        (name) => !names.includes(name) && !same(left, callsWith({ ...declared, ...pick([name]) })),
    );
    return { ...declared, ...pick(drifted) };
}

/** All inputs with a value, without secrets. */
export function allInputs<Inputs>(fields: Fields<Inputs>, state: object): Record<string, unknown> {
    return valuesOf(fields, state, ({ onChange, secret }) => onChange !== "ignore" && !secret);
}

/** The observed values of the inputs that an update can change. */
export function currentValues<Inputs>(fields: Fields<Inputs>, found: object): Record<string, unknown> {
    return valuesOf(fields, found, ({ onChange }) => onChange === "update");
}

function valuesOf<Inputs>(
    fields: Fields<Inputs>,
    values: object,
    isWanted: (field: Field) => boolean | undefined,
): Record<string, unknown> {
    const named = entriesOf(fields)
        .filter(([, field]) => isWanted(field))
        .map(([name]) => [name, valueOf(values, name)] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function callsOf(resource: Resource, state: State, inputs: object): readonly Call[] {
    const known = Object.entries(inputs).filter(([name]) => Object.hasOwn(resource.fields, name));
    return planFor(resource, state, Object.fromEntries(known) as Declared).steps.map(({ call }) => call);
}

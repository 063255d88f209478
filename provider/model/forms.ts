import { entriesOf, isOtherForm, same, show, valueOf, type Field } from "../base/fields";
import type { Declared, Resource } from "./resource";
import type { Form, Forms, Unobserved } from "./state";

// An API may keep a declared text in another form: trimmed, in small letters, composed. That is no change.

/** The forms in which the API shows declared values. Of the properties that do not meet the condition, those known before. */
export function formsIn(
    { fields }: Resource,
    declared: object,
    observed: object,
    known: Forms = {},
    isCurrent: (name: string, field: Field) => boolean = () => true,
): Forms | undefined {
    const forms = entriesOf(fields).flatMap(([name, field]): [string, Form][] => {
        const form = { declared: valueOf(declared, name), shown: valueOf(observed, name) };
        const isAnother = isOtherForm(field, form.declared, form.shown);
        const found = isCurrent(name, field) ? isAnother && form : known[name];
        return found ? [[name, found]] : [];
    });
    return forms.length === 0 ? undefined : Object.fromEntries(forms);
}

/** The lines about forms that a run has found. */
export function formLines(before: Forms = {}, after: Forms = {}): readonly string[] {
    return Object.entries(after)
        .filter(([name, form]) => !same(form, before[name]))
        .map(([name, { declared, shown }]) => `the API keeps ${name} ${show(shown)} for ${show(declared)}`);
}

/** The inputs, with the observed values in place of declared ones that differ from them in the form alone. */
export function asShown<D extends object>(
    { fields }: Resource,
    declared: D,
    observed: object,
    isSame: (name: string, field: Field) => boolean = () => true,
): D {
    const shown = entriesOf(fields)
        .filter(
            ([name, field]) =>
                isSame(name, field) && isOtherForm(field, valueOf(declared, name), valueOf(observed, name)),
        )
        .map(([name]) => [name, valueOf(observed, name)]);
    return { ...declared, ...Object.fromEntries(shown) } as D;
}

/** The declared values of which this state shows another form. */
export function declaredForms({ record, ...state }: Unobserved): Readonly<Record<string, unknown>> {
    const shown = Object.entries({ ...record.forms }).filter(([name, form]) => same(form.shown, valueOf(state, name)));
    return Object.fromEntries(shown.map(([name, { declared }]) => [name, declared]));
}

/**
 * The inputs, without differences of form to the state. A replacement needs a change of the program, and an update a value
 * for which the API has shown no other form.
 */
export function withoutForms<D extends Declared>(resource: Resource, state: Unobserved, declared: D): D {
    const known = declaredForms(state);
    const isKnown = (name: string) => Object.hasOwn(known, name) && same(known[name], valueOf(declared, name));
    return asShown(resource, declared, state, (name, { onChange }) => onChange === "replace" || isKnown(name));
}

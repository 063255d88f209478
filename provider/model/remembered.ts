import { withoutHidden, type KnownInputs, type Declared, type Resource, type State } from "./resource";
import { pending, ready, type Outcome } from "./outcome";
import { emptyRecord, type StateRecord, type Remembered, isProtected, without } from "./state";
import { keptIn, pick, same, sameIn, valueOf, type Field } from "../base/fields";
import { subjectOf } from "./identity";
import { outputsWhere, shownNames, withDerived } from "./outputs";

type Named = Readonly<Record<string, unknown>>;

/** The inputs that led to a state, as far as it has them. */
export function inputsOf({ fields }: Resource, state: Remembered): KnownInputs {
    const { projectId, record } = state;
    const values = Object.entries(fields).map(([name]) => [name, valueOf(state, name)] as const);
    return { ...Object.fromEntries(values), projectId, __urn: record.urn, __timeouts: record.timeouts };
}

/** The resource of an entry in messages. */
export const subjectOfEntry = (resource: Resource, id: string, state: State): string =>
    subjectOf(resource, inputsOf(resource, state), id);

/**
 * What the state of a resource remembers that is about to be created. Inputs that only a replacement changes are remembered as they
 * are declared, as if a read had shown them, because the create request contains them. `record.defaults` is present: only an adoption
 * lacks it, until it has seen the resource at rest.
 */
export function rememberedOnCreate(resource: Resource, declared: Declared, defaults: Named = {}): Remembered {
    const asked = valuesOf(resource.fields, declared, ({ onChange }) => onChange === "replace");
    return rememberedWith(resource, asked, { ...emptyRecord, defaults }, declared);
}

/**
 * What a state remembers with this declaration. Inputs that only the state has get their declared values at once. Those that a step
 * updates, such as `cpuMillis`, keep the value that they have in `state`.
 */
export function rememberedWith(
    { fields, outputs }: Resource,
    state: object,
    record: StateRecord,
    declared: Declared,
): Remembered {
    const shown = shownNames(outputs);
    const inputs = Object.entries(fields).map(([name, field]) => {
        const [value, before] = [valueOf(declared, name), valueOf(state, name)];
        switch (field.onChange) {
            case "update":
                // That of the state, until a step (`password`) or a read (`cpuMillis`) has the new one.
                return [name, field.isForgotten && value === undefined ? undefined : before];
            case "replace":
                // After an adoption or an import, nothing may have shown the value. A declared one then proves nothing. In a creation,
                // `before` is the declared value.
                return [name, before === undefined && shown.includes(name) ? undefined : keptIn(field, before, value)];
            default:
                return [name, value];
        }
    });
    const recorded = outputsWhere(outputs, (output) => output.recorded).map((name) => [name, valueOf(state, name)]);
    const names = declaredNames(declared).filter((name) => Object.hasOwn(fields, name) && name !== protectionInput);
    return {
        ...(Object.fromEntries([...inputs, ...recorded]) as { projectId: string }),
        record: {
            ...record,
            urn: declared.__urn,
            timeouts: declared.__timeouts,
            declared: names,
            defaults: record.defaults && without(record.defaults, sinceImport(record, declared)),
            imported: undefined,
        },
    };
}

/** Those of the inputs that responses can show, and these values lack. */
export const unshown = ({ outputs }: Resource, inputs: readonly string[], values: object): readonly string[] =>
    inputs.filter((name) => shownNames(outputs).includes(name) && !Object.hasOwn(values, name));

/** Whether responses have shown these inputs, as far as they can. `values` is what they have shown. */
export function areShown(resource: Resource, inputs: readonly string[], values: object): Outcome {
    const [missing] = unshown(resource, inputs, values);
    return missing === undefined ? ready : pending("at rest", `${missing} is not shown yet`);
}

/** The names of the declared inputs. */
export const declaredNames = (inputs: object): readonly string[] =>
    Object.keys(withoutHidden(inputs)).filter((name) => valueOf(inputs, name) !== undefined);

/** What programs have declared before this run, since an import that no update has followed: those runs have succeeded. */
const sinceImport = ({ imported }: StateRecord, { __declared: [earlier = []] = [] }: Declared): readonly string[] =>
    imported === true ? earlier : [];

/** The observed values of the inputs that an update can change. */
export const currentValues = ({ fields }: Resource, observed: object): Named =>
    valuesOf(fields, observed, ({ onChange }) => onChange === "update");

/** The values of the inputs that meet a condition, as far as there are any. */
export function valuesOf(fields: object, values: object, isWanted: (field: Field) => boolean): Named {
    const names = Object.entries(fields).flatMap(([name, field]) => (isWanted(field as Field) ? [name] : []));
    const named = names.map((name) => [name, valueOf(values, name)] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** The input whose value every check resolves, so that the program need not declare it. */
export const protectionInput = "deletionProtection";

/**
 * The inputs and options that the state must record although no step changes them: inputs whose value only the state
 * holds, inputs that were added or removed, and timeouts.
 */
export function stateChanges(resource: Resource, state: State, next: Remembered): readonly string[] {
    const { record } = state;
    const current = { ...state, deletionProtection: isProtected(resource, state) };
    const inputs = Object.entries(resource.fields).filter(([name, { onChange, isVersioned }]) => {
        const isHeld = (onChange === "stateOnly" || onChange === "await") && isVersioned !== true;
        const value = isHeld && !same(valueOf(current, name), valueOf(next, name));
        const declaration =
            name !== protectionInput &&
            record.imported !== true &&
            record.declared.includes(name) !== next.record.declared.includes(name);
        return onChange !== "ignore" && (value || declaration);
    });
    const timeouts = same(record.timeouts, next.record.timeouts) ? [] : ["customTimeouts"];
    return [...inputs.map(([name]) => name), ...timeouts];
}

/**
 * The state of a resource: what the API shows, what only the state holds, and what follows from both. If the API shows a declared
 * value in another form (`US-EAST-1`), the state has the declared one.
 */
export function assemble(resource: Resource, observed: object, remembered: Remembered): State {
    const declared = Object.entries(resource.fields)
        .filter(([name, field]) => field.canonical && sameIn(field, valueOf(remembered, name), valueOf(observed, name)))
        .map(([name]) => [name, valueOf(remembered, name)] as const);
    const record = withFound(remembered.record, observed);
    return withDerived<State>(resource, { ...remembered, ...observed, ...Object.fromEntries(declared), record });
}

/**
 * The record after a read that found these values. An upgrade alone changes nothing, so they become the defaults of `added`: the inputs
 * that the version which wrote the state did not know.
 */
function withFound(record: StateRecord, observed: object): StateRecord {
    const { added = [], defaults } = record;
    const isFound = (name: string) => Object.hasOwn(observed, name);
    if (defaults === undefined || !added.some(isFound)) {
        return record;
    }
    return {
        ...record,
        defaults: { ...defaults, ...pick(observed, added) },
        added: added.filter((name) => !isFound(name)),
    };
}

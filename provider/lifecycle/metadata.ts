import { withoutHidden, type KnownInputs, type Declared, type Resource, type State } from "../model/resource";
import { pending, ready, type Outcome } from "../model/outcome";
import { emptyRecord, type StateRecord, type Unobserved, isProtected } from "../model/state";
import { pick, same, sameIn, valueOf, type Field } from "../base/fields";
import { autoName } from "../base/names";
import { outputsWhere, shownNames, withDerived } from "../model/outputs";

type Named = Readonly<Record<string, unknown>>;

/** The inputs that led to a state, as far as it has them. */
export function inputsOf({ fields }: Resource, state: Unobserved): KnownInputs {
    const { projectId, record } = state;
    const values = Object.entries(fields).map(([name]) => [name, valueOf(state, name)] as const);
    return { ...Object.fromEntries(values), projectId, __urn: record.urn, __timeouts: record.timeouts };
}

/**
 * What the state of a resource holds that is about to be created. What the request asks for, and only a replacement changes, counts
 * as shown.
 */
export function unobservedOnCreate(resource: Resource, declared: Declared, defaults: Named): Unobserved {
    const asked = valuesOf(resource.fields, declared, ({ onChange }) => onChange === "replace");
    return withInputs(resource, asked, { ...emptyRecord, defaults }, declared);
}

/** What the state of a resource holds that is about to be adopted, and shows these values. Its defaults are found later. */
export function unobservedOnAdopt(resource: Resource, declared: Declared, found: object): Unobserved {
    return withInputs(resource, found, { ...emptyRecord, defaults: undefined }, declared);
}

/** What the state of a resource holds during an update: new declarations, but the old values of properties that a later step updates. */
export function unobservedOnUpdate(resource: Resource, state: State, declared: Declared): Unobserved {
    return withInputs(resource, state, state.record, declared);
}

function withInputs({ fields, outputs }: Resource, state: object, record: StateRecord, declared: Declared): Unobserved {
    const shown = shownNames(outputs);
    const inputs = Object.entries(fields).map(([name, field]) => {
        const [value, before] = [valueOf(declared, name), valueOf(state, name)];
        switch (field.onChange) {
            case "update":
                // That of the state, until a step (`password`) or a read (`cpuMillis`) has the new one.
                return [name, field.isForgotten && value === undefined ? undefined : before];
            case "replace":
                // A declared value proves nothing of one that no response has shown.
                return [name, before === undefined && shown.includes(name) ? undefined : (value ?? before)];
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
            defaults: record.defaults && undeclared(record.defaults, declared),
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

/** The values without those that the program declares, or has declared since its import. */
export function undeclared(values: object, declared: Declared): Named {
    const names = [...declaredNames(declared), ...(declared.__declared ?? [])];
    return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

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
export function stateChanges(resource: Resource, state: State, next: Unobserved): readonly string[] {
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

/** Whether a new resource needs a name that the program does not declare. An adopted resource keeps its name. */
export function needsName({ fields }: Resource, declared: Declared): boolean {
    return "name" in fields && valueOf(declared, "name") === undefined && declared.existingId === undefined;
}

/** The inputs, with the engine's name if the program declares none. */
export function withEngineName<D extends Declared>(resource: Resource, declared: D): D {
    const { __generatedName: name } = declared;
    return name !== undefined && needsName(resource, declared) ? { ...declared, name } : declared;
}

/** The inputs, with the engine's name or one generated from the URN if the program declares none. */
export function withName<D extends Declared>(resource: Resource, declared: D): D {
    const named = withEngineName(resource, declared);
    return named.__urn !== undefined && needsName(resource, named) ? { ...named, name: autoName(named.__urn) } : named;
}

/**
 * The state of a resource: what the API shows, what only the state holds, and what follows from both. If the API shows a declared
 * value in another form (`US-EAST-1`), the state has the declared one.
 */
export function assemble(resource: Resource, observed: object, unobserved: Unobserved): State {
    const declared = Object.entries(resource.fields)
        .filter(([name, field]) => field.canonical && sameIn(field, valueOf(unobserved, name), valueOf(observed, name)))
        .map(([name]) => [name, valueOf(unobserved, name)] as const);
    const record = withFound(unobserved.record, observed);
    return withDerived<State>(resource, { ...unobserved, ...observed, ...Object.fromEntries(declared), record });
}

/** The record after a read that found these values: an upgrade alone changes nothing, so they are the defaults of added inputs. */
function withFound(record: StateRecord, observed: object): StateRecord {
    const { added = [], declared, defaults } = record;
    const isFound = (name: string) => Object.hasOwn(observed, name);
    if (defaults === undefined || !added.some(isFound)) {
        return record;
    }
    const undeclaredNames = added.filter((name) => !declared.includes(name));
    const found = { ...defaults, ...pick(observed, undeclaredNames) };
    return { ...record, defaults: found, added: added.filter((name) => !isFound(name)) };
}

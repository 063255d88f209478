import type { Checked, Declared, Path, Plan, Resource, State, StateMetadata } from "../contract/resource";
import { interruptionIn } from "../contract/interruption";
import { entriesOf, same, valueOf, type ChangeEffect, type Field } from "../inputs/fields";
import { nameFrom } from "../inputs/names";
import type { OutputField } from "../contract/outputs";
import { isProtected } from "./protection";
import type { Planned } from "../inputs/unknown";

type Named = Readonly<Record<string, unknown>>;

/** The inputs that led to a state. The state contains their values under the same names. */
export function asInputs(state: Partial<StateMetadata>): Checked {
    // The type of the state has only the inputs that the API returns.
    return state as unknown as Checked;
}

/** The state in a request of the engine. One that a person has edited may lack hidden values. */
export function asState(values: object): State {
    return { __declared: [], __defaults: {}, ...values } as unknown as State;
}

/** Whether a request to read contains the state of the resource. A `.get` and an import have no outputs. */
export function hasState({ fields, outputs }: Resource, values: object): boolean {
    return Object.keys(outputs).some((name) => !Object.hasOwn(fields, name) && valueOf(values, name) !== undefined);
}

/** The metadata of a resource that is about to be created or adopted. */
export function initialMetadata(resource: Resource, declared: Declared, defaults: Named): StateMetadata {
    return metadataOf(resource, {}, declared, defaults);
}

/** The metadata during an update: new declarations, but the old values of properties that a later step updates. */
export function nextMetadata(resource: Resource, state: StateMetadata, declared: Declared): StateMetadata {
    const recorded = Object.entries(state).filter(([name]) => isRecorded(resource, name));
    return { ...Object.fromEntries(recorded), ...metadataOf(resource, state, declared, state.__defaults) };
}

/** Whether only a response or a step has recorded the value, so that no later read shows it. */
function isRecorded({ fields, outputs }: Resource, name: string): boolean {
    const output = valueOf(outputs, name) as OutputField | undefined;
    return output?.recorded ?? !(name in fields || Object.hasOwn(metadataNames, name));
}

function metadataOf(
    { fields }: Resource,
    old: Partial<StateMetadata>,
    declared: Declared,
    defaults: Named,
): StateMetadata {
    const values = entriesOf(fields).map(([name, { onChange }]) => {
        const [given, before] = [valueOf(declared, name), valueOf(old, name)];
        switch (onChange) {
            case "replace":
                return [name, given ?? before];
            case "update":
                // The observation or a step records the new value.
                return [name, before];
            case "stateOnly":
            case "await":
            case "ignore":
                return [name, given];
        }
    });
    return {
        ...(Object.fromEntries(values) as { projectId: string }),
        __urn: declared.__urn,
        __timeouts: declared.__timeouts,
        __declared: entriesOf(fields)
            .map(([name]) => name)
            .filter((name) => name !== protectionInput && valueOf(declared, name) !== undefined),
        __defaults: defaults,
        ...(old.__imported ? { __imported: "recorded" } : {}),
    };
}

/** The input whose value every check resolves, so that the program need not declare it. */
export const protectionInput = "deletionProtection";

/**
 * The inputs and options that the state must record although no step changes them: inputs whose value only the state
 * holds, inputs that were added or removed, and timeouts.
 */
export function stateChanges(resource: Resource, state: StateMetadata, declared: Declared): readonly string[] {
    const next = metadataOf(resource, state, declared, state.__defaults);
    const known = { ...state, deletionProtection: isProtected(resource, state) };
    const inputs = entriesOf(resource.fields).filter(([name, { onChange }]) => {
        const isHeld = onChange === "stateOnly" || onChange === "await";
        const value = isHeld && !same(valueOf(known, name), valueOf(next, name));
        const declaration =
            name !== protectionInput &&
            state.__imported !== true &&
            state.__declared.includes(name) !== next.__declared.includes(name);
        return onChange !== "ignore" && (value || declaration);
    });
    const timeouts = same(state.__timeouts, next.__timeouts) ? [] : ["customTimeouts"];
    return [...inputs.map(([name]) => name), ...timeouts];
}

/** The hidden values of a state. */
const metadataNames: Readonly<Record<Extract<keyof StateMetadata, `__${string}`>, true>> = {
    __urn: true,
    __timeouts: true,
    __declared: true,
    __defaults: true,
    __interrupted: true,
    __unconfirmed: true,
    __imported: true,
};

/**
 * What is stored of a state: not the hidden values of an older version, nor the name among the defaults, which no plan reads
 * and which can be a secret.
 */
export function storedValues(state: object): Named {
    const kept = Object.entries(state).filter(([name]) => !name.startsWith("__") || Object.hasOwn(metadataNames, name));
    const { __defaults: defaults = {} } = state as Partial<StateMetadata>;
    return { ...Object.fromEntries(kept), __defaults: { ...defaults, name: undefined } };
}

/**
 * Whether an update only records `deletionProtection`, and the next one resumes: the resource is not complete, and may never
 * be. Its deletion must not wait for that.
 */
export function recordsProtectionFirst(state: StateMetadata, changed: readonly string[]): boolean {
    return interruptionIn(state).resumes && changed.includes(protectionInput);
}

/**
 * Whether an update changes only the state: it sends no request and does not wait. After an interrupted update, this
 * holds only for inputs that only the state contains. An interrupted creation is otherwise completed, because other
 * resources need its outputs.
 */
export function changesOnlyState(
    { fields }: Resource,
    state: StateMetadata,
    { steps, stateChanges: changed }: Plan,
): boolean {
    const { resumes, isInCreation } = interruptionIn(state);
    const effects = changed.map((name) => (valueOf(fields, name) as Field | undefined)?.onChange);
    const isOfState = (effect: ChangeEffect | undefined) => (resumes ? effect === "stateOnly" : effect !== "await");
    return (
        recordsProtectionFirst(state, changed) ||
        (steps.length === 0 && effects.length > 0 && effects.every(isOfState) && !isInCreation)
    );
}

/**
 * The value of an input in a plan: the declared one, else the one recorded at adoption, else the documented
 * default.
 */
export function wanted<Inputs, Key extends keyof Inputs & string>(
    state: StateMetadata,
    declared: Planned<Inputs>,
    key: Key,
    documentedDefault: Inputs[Key],
): Planned<Inputs>[Key] | Inputs[Key] {
    return declared[key] ?? (state.__defaults[key] as Inputs[Key] | undefined) ?? documentedDefault;
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
    return named.__urn !== undefined && needsName(resource, named) ? { ...named, name: nameFrom(named.__urn) } : named;
}

/** The state of a resource: what the API shows, what only the metadata holds, and what follows from both. */
export function assemble(resource: Resource, item: unknown, path: Path, metadata: StateMetadata): State {
    return withDerived(resource, { ...metadata, ...resource.observation.observe(item, path) });
}

export function withDerived(resource: Resource, state: State): State {
    return { ...state, ...resource.observation.derive?.(state) };
}

import type { CommonInputs, HiddenInputs, Path, Plan, StateMetadata, Resource } from "./resource";
import { entriesOf, same, valueOf, type ChangeEffect, type Field, type Fields } from "../inputs/fields";
import { nameFrom } from "../inputs/names";
import type { Planned } from "../inputs/unknown";

type Named = Readonly<Record<string, unknown>>;

/** The metadata of a resource that is about to be created or adopted. */
export function initialMetadata<I extends CommonInputs>(
    fields: Fields<I>,
    declared: Planned<I> & HiddenInputs,
    defaults: Named,
): StateMetadata {
    return metadataOf(fields, {}, declared, defaults);
}

/** The metadata during an update: new declarations, but the old values of properties that a step has yet to update. */
export function nextMetadata<I extends CommonInputs>(
    fields: Fields<I>,
    stickyOutputs: readonly string[],
    state: StateMetadata,
    declared: Planned<I> & HiddenInputs,
): StateMetadata {
    const old = state as unknown as Named;
    const kept = Object.fromEntries(stickyOutputs.map((name) => [name, old[name]]));
    return { ...kept, ...metadataOf(fields, old, declared, state.__defaults) };
}

function metadataOf<I extends CommonInputs>(
    fields: Fields<I>,
    old: Named,
    declared: Planned<I> & HiddenInputs,
    defaults: Named,
): StateMetadata {
    const given = declared as Named;
    const values = entriesOf(fields).map(([name, { onChange }]) => {
        switch (onChange) {
            case "replace":
                return [name, given[name] ?? old[name]];
            case "update":
                return [name, old[name]];
            case "stateOnly":
            case "await":
            case "ignore":
                return [name, given[name]];
        }
    });
    return {
        ...(Object.fromEntries(values) as { projectId: string }),
        __urn: declared.__urn,
        __timeouts: declared.__timeouts,
        __secrets: secretInputs(old, declared),
        __declared: entriesOf(fields)
            .map(([name]) => name)
            .filter((name) => given[name] !== undefined),
        __defaults: defaults,
    };
}

/** The names of the inputs that are secret. One that the program no longer declares stays as secret as it was. */
function secretInputs(state: Pick<StateMetadata, "__secrets">, declared: HiddenInputs): readonly string[] | undefined {
    const undeclared = state.__secrets?.filter((name) => valueOf(declared, name) === undefined) ?? [];
    const names = [...new Set([...(declared.__secrets ?? []), ...undeclared])];
    return names.length === 0 ? undefined : names;
}

/**
 * The inputs and options that the state must record although no step changes them: inputs whose value only the state
 * holds, inputs that were added or removed or became secret or plain, and timeouts.
 */
export function recordedChanges<I extends CommonInputs>(
    state: StateMetadata,
    declared: Planned<I> & HiddenInputs,
    fields: Fields<I>,
): readonly string[] {
    const next = metadataOf(fields, state as unknown as Named, declared, state.__defaults);
    const inputs = entriesOf(fields).filter(([name, { onChange }]) => {
        const isHeld = onChange === "stateOnly" || onChange === "await";
        const value = isHeld && !same(valueOf(state, name), valueOf(next, name));
        const isIn = (names: readonly string[] = []) => names.includes(name);
        const declaration = !state.__imported && isIn(state.__declared) !== isIn(next.__declared);
        const listed = declaration || isIn(state.__secrets) !== isIn(next.__secrets);
        return onChange !== "ignore" && (value || listed);
    });
    const timeouts = same(state.__timeouts, next.__timeouts) ? [] : ["customTimeouts"];
    return [...inputs.map(([name]) => name), ...timeouts];
}

/**
 * Whether an update changes only the state: it sends no request and does not wait. After an interrupted update, this
 * holds only for inputs that only the state contains. An interrupted creation is always completed, because other
 * resources need its outputs.
 */
export function isOfStateOnly<I extends CommonInputs>(
    fields: Fields<I>,
    { steps, record }: Pick<Plan<unknown>, "record"> & { readonly steps: readonly unknown[] },
    interrupted: StateMetadata["__interrupted"],
): boolean {
    const effects = record.map((name) => (valueOf(fields, name) as Field | undefined)?.onChange);
    const isOfState = (effect: ChangeEffect | undefined) => (interrupted ? effect === "stateOnly" : effect !== "await");
    return steps.length === 0 && effects.length > 0 && effects.every(isOfState) && interrupted !== "creation";
}

/** The value of an input in a plan: the declared one, else the one recorded at creation or adoption, else the documented default. */
export function wanted<I, Key extends keyof I & string>(
    state: StateMetadata,
    declared: Planned<I>,
    key: Key,
    documentedDefault: I[Key],
): Planned<I>[Key] | I[Key] {
    return declared[key] ?? (state.__defaults[key] as I[Key] | undefined) ?? documentedDefault;
}

/** Whether a new resource needs a name that the program does not declare. An adopted resource keeps its name. */
export function needsName<I extends CommonInputs>(
    { fields }: Pick<Resource<I, object, unknown>, "fields">,
    declared: Planned<I>,
): boolean {
    return "name" in fields && valueOf(declared, "name") === undefined && declared.existingId === undefined;
}

/** The inputs, with the engine's name if the program declares none. */
export function withEngineName<I extends CommonInputs, Declared extends Planned<I> & HiddenInputs>(
    resource: Pick<Resource<I, object, unknown>, "fields">,
    declared: Declared,
): Declared {
    const { __generatedName: name } = declared;
    return name !== undefined && needsName(resource, declared) ? { ...declared, name } : declared;
}

/** The inputs, with the engine's name or one generated from the URN if the program declares none. */
export function withName<I extends CommonInputs, Declared extends Planned<I> & HiddenInputs>(
    resource: Pick<Resource<I, object, unknown>, "fields">,
    declared: Declared,
): Declared {
    const named = withEngineName(resource, declared);
    return named.__urn !== undefined && needsName(resource, named) ? { ...named, name: nameFrom(named.__urn) } : named;
}

/** The state of a resource: what the API shows, what only the metadata holds, and what follows from both. */
export function assemble<I extends CommonInputs, Observed extends object, Item>(
    resource: Pick<Resource<I, Observed, Item>, "observation">,
    item: Item,
    path: Path,
    metadata: StateMetadata,
): Observed & StateMetadata {
    return withDerived(resource, { ...metadata, ...resource.observation.observe(item, path) });
}

export function withDerived<I extends CommonInputs, Observed extends object, Item>(
    resource: Pick<Resource<I, Observed, Item>, "observation">,
    state: Observed & StateMetadata,
): Observed & StateMetadata {
    return { ...state, ...resource.observation.derive?.(state) };
}

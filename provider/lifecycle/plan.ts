import { replacements } from "../inputs/fields";
import { recordedChanges } from "./metadata";
import type { Declared, Kind, Plan, Resource, State } from "./resource";

/** The plan from a state to the declared one. A resource that is replaced has no steps. */
export function planFor<K extends Kind>(
    resource: Resource<K>,
    state: State<K>,
    declared: Declared<K>,
): Plan<K["Item"]> {
    const changes = replacements(resource.fields, state, declared);
    const replace = resource.replacements?.(state, declared, changes) ?? changes;
    return {
        replace,
        steps: replace.length > 0 ? [] : (resource.steps?.(state, declared) ?? []),
        record: recordedChanges(resource, state, declared),
    };
}

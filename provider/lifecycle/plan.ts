import { entriesOf, replacingChanges, show } from "../inputs/fields";
import { initialMetadata, recordsProtectionFirst, stateChanges, withName } from "./metadata";
import type { Declared, Kind, Plan, Resource, State } from "../contract/resource";

/**
 * The plan from a state to the declared one. A resource that is replaced has no steps, and one whose protection is recorded
 * first has none yet.
 */
export function planFor<K extends Kind>(resource: Resource<K>, state: State<K>, declared: Declared<K>): Plan {
    const changes = replacingChanges(resource.fields, state, declared);
    const replace = changes.filter((change) => !resource.alreadyHas?.(state, change));
    const recorded = stateChanges(resource, state, declared);
    const hasSteps = replace.length === 0 && !recordsProtectionFirst(recorded, state.__interrupted);
    return {
        replace,
        steps: hasSteps ? (resource.steps?.(state, declared) ?? []) : [],
        stateChanges: recorded,
    };
}

/** The lines of a creation or an adoption in a preview: one for each request, in order. */
export function describeCreation<K extends Kind>(resource: Resource<K>, declared: Declared<K>): readonly string[] {
    if (declared.existingId !== undefined) {
        return [`adopt ${resource.noun} ${show(declared.existingId)} and update it to the declared state`];
    }
    const named = withName(resource, declared);
    const { text, observed } = resource.creation.describe(named);
    const created = { ...initialMetadata(resource, declared, {}), ...observed } as State<K>;
    const { steps } = planFor(resource, created, withoutReplacing(resource, named));
    return [text, ...steps.map((step) => step.text)];
}

/** The inputs, without those whose change replaces the resource. */
export function withoutReplacing<K extends Kind, D extends Declared<K>>({ fields }: Resource<K>, declared: D): D {
    const replacing = new Set(
        entriesOf(fields)
            .filter(([, { onChange }]) => onChange === "replace")
            .map(([name]) => name),
    );
    return Object.fromEntries(Object.entries(declared).filter(([name]) => !replacing.has(name))) as D;
}

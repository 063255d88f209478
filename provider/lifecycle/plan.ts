import { entriesOf, replacingChanges, show } from "../inputs/fields";
import { initialMetadata, recordedChanges, withName } from "./metadata";
import type { Declared, Kind, Plan, Resource, State } from "./resource";

/** The plan from a state to the declared one. A resource that is replaced has no steps. */
export function planFor<K extends Kind>(
    resource: Resource<K>,
    state: State<K>,
    declared: Declared<K>,
): Plan<K["Item"]> {
    const changes = replacingChanges(resource.fields, state, declared);
    const replace = changes.filter((change) => !resource.alreadyHas?.(state, change));
    return {
        replace,
        steps: replace.length > 0 ? [] : (resource.steps?.(state, declared) ?? []),
        record: recordedChanges(resource, state, declared),
    };
}

/** A plan and its lines in a preview: one for each request, in order. */
export interface Described<K extends Kind> {
    readonly plan: Plan<K["Item"]>;
    readonly lines: readonly string[];
}

/** The plan of an update, or of a creation if there is no state. Sends no request. */
export function describePlan<K extends Kind>(
    resource: Resource<K>,
    state: State<K> | undefined,
    declared: Declared<K>,
): Described<K> {
    if (state !== undefined) {
        const plan = planFor(resource, state, declared);
        return { plan, lines: plan.steps.map(({ text }) => text) };
    }
    if (declared.existingId !== undefined) {
        const text = `adopt ${resource.noun} ${show(declared.existingId)} and update it to the declared state`;
        return { plan: { replace: [], steps: [], record: [] }, lines: [text] };
    }
    const named = withName(resource, declared);
    const { text, observed } = resource.creation.describe(named);
    const metadata = initialMetadata(resource, declared, {});
    const created = { ...metadata, ...observed } as State<K>;
    const plan = planFor(resource, created, withoutReplacing(resource, named));
    return { plan, lines: [text, ...plan.steps.map((step) => step.text)] };
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

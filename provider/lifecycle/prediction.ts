import { entriesOf, same, valueOf, type Field } from "../inputs/fields";
import { hasUnknown, unknown } from "../inputs/unknown";
import { changesOnlyState, nextMetadata, withName } from "./metadata";
import { outputsWhere } from "./outputs";
import { planFor, withoutReplacing } from "./plan";
import { isProtected } from "./protection";
import type { Declared, Kind, Plan, Resource, State } from "./resource";

/** The outputs after a creation or an update. Absent or unknown ones become known only afterwards. Only the plugin can show them in a preview. */
export function predict<K extends Kind>(
    resource: Resource<K>,
    state: State<K> | undefined,
    declared: Declared<K>,
): Readonly<Record<string, unknown>> {
    return state === undefined
        ? predictCreation(resource, declared)
        : predictUpdate(resource, state, declared, planFor(resource, state, declared));
}

function predictCreation<K extends Kind>(
    resource: Resource<K>,
    declared: Declared<K>,
): Readonly<Record<string, unknown>> {
    const isInEffect = ([name, { onChange }]: [string, Field]) =>
        onChange !== "ignore" && valueOf(declared, name) !== undefined;
    const given = entriesOf(resource.fields)
        .filter(isInEffect)
        .map(([name]) => [name, valueOf(declared, name)] as const);
    const created =
        declared.existingId === undefined
            ? resource.creation.describe(withName(resource, declared)).observed
            : undefined;
    const after = { ...created, ...Object.fromEntries(given) };
    const unseen = outputsWhere(resource.outputs, () => true).map((name) => [name, unknown] as const);
    // What does not follow from the inputs alone is unknown.
    return { ...predictDerived(resource, { ...Object.fromEntries(unseen), ...after } as State<K>), ...after };
}

function predictUpdate<K extends Kind>(
    resource: Resource<K>,
    state: State<K>,
    declared: Declared<K>,
    plan: Plan<K["Item"]>,
): Readonly<Record<string, unknown>> {
    const next = nextMetadata(resource, state, declared);
    if (plan.replace.length > 0) {
        const inPlace = planFor(resource, state, withoutReplacing(resource, declared));
        const updated = predictUpdate(resource, state, declared, { ...inPlace, replace: [] });
        // If the update must not replace the resource, it either fails or changes it in place.
        return isProtected(resource, state) ? updated : common(updated, predictCreation(resource, declared));
    }
    if (changesOnlyState(resource, plan, state.__interrupted)) {
        return { ...state, ...next, ...predictDerived(resource, { ...state, ...next }) };
    }
    const unsettled = unsettledOutputs(resource, state, declared).map((name) => [name, unknown] as const);
    const changes = plan.steps.flatMap((step) => Object.entries({ ...step.sets, ...step.affects, ...step.records }));
    const after = { ...state, ...Object.fromEntries(unsettled), ...next, ...Object.fromEntries(changes) };
    return { ...after, ...predictDerived(resource, after) };
}

/** The outputs that an update can change without a step, because it first waits for changes in progress. */
function unsettledOutputs<K extends Kind>(
    { fields, outputs, creation, observation: { unsettled } }: Resource<K>,
    state: State<K>,
    declared: Declared<K>,
): readonly string[] {
    const isNew = creation.statuses?.includes(String(valueOf(state, "status"))) === true;
    if (!state.__interrupted && !state.__unseen && !isNew) {
        return unsettled?.(state) ?? [];
    }
    // The state is older than the requests of the last run.
    const isCertain = (name: string) => {
        const onChange = (valueOf(fields, name) as Field | undefined)?.onChange;
        return onChange === "update" ? valueOf(declared, name) !== undefined : onChange !== undefined;
    };
    return outputsWhere(outputs, ({ fromId }) => !fromId).filter((name) => !isCertain(name));
}

/** The outputs that are the same in both; the others are unknown. */
export function common(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) {
    return Object.fromEntries(
        Object.entries(one).map(([name, value]) => [name, same(value, other[name]) ? value : unknown]),
    );
}

/** The outputs that follow from the others. One is unknown if it depends on an unknown value. */
function predictDerived<K extends Kind>(
    { observation: { derive } }: Resource<K>,
    state: State<K>,
): Record<string, unknown> {
    const deriveWith = (standIn: string) => derive?.(replaceUnknown(state, standIn) as State<K>) ?? {};
    const [one, other] = [deriveWith("one value"), deriveWith("another value")];
    return common(one, other);
}

function replaceUnknown(values: object, standIn: string): object {
    return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, hasUnknown(value) ? standIn : value]),
    );
}

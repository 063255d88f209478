import { entriesOf, same, show, valueOf, type Field } from "../inputs/fields";
import { hasUnknown, unknown, type Planned } from "../inputs/unknown";
import { initialMetadata, nextMetadata, withName } from "./metadata";
import type { CommonInputs, HiddenInputs, Plan, Resource, StateMetadata } from "./resource";

/** A plan and its lines in a preview: one for each request, in order. */
export interface Described<Item> {
    readonly plan: Plan<Item>;
    readonly lines: readonly string[];
}

/** The plan of an update, or of a creation where there is no state. Sends no request. */
export function describe<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    state: (Observed & StateMetadata) | undefined,
    declared: Planned<Inputs> & HiddenInputs,
): Described<Item> {
    if (state !== undefined) {
        const plan = resource.plan(state, declared);
        return { plan, lines: plan.steps.map(({ text }) => text) };
    }
    if (declared.existingId !== undefined) {
        const text = `adopt ${resource.noun} ${show(declared.existingId)} and update it to the declared state`;
        return { plan: { replace: [], steps: [], record: [] }, lines: [text] };
    }
    const named = withName(resource, declared);
    const { text, observed } = resource.creation.describe(named);
    const metadata = initialMetadata(resource.fields, declared, {});
    const created = { ...metadata, ...observed } as Observed & StateMetadata;
    const plan = resource.plan(created, withoutReplacing(resource, named));
    return { plan, lines: [text, ...plan.steps.map((step) => step.text)] };
}

/** The inputs whose change replaces nothing. */
function withoutReplacing<Inputs extends CommonInputs, Declared extends Planned<Inputs> & HiddenInputs>(
    { fields }: Pick<Resource<Inputs, object, unknown>, "fields">,
    declared: Declared,
): Declared {
    const replacing = new Set(
        entriesOf(fields)
            .filter(([, { effect }]) => effect === "replace")
            .map(([name]) => name),
    );
    return Object.fromEntries(Object.entries(declared).filter(([name]) => !replacing.has(name))) as Declared;
}

/** The outputs that a creation or an update leads to. One that is absent or unknown is known only afterwards. */
export function predict<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    state: (Observed & StateMetadata) | undefined,
    declared: Planned<Inputs> & HiddenInputs,
): Readonly<Record<string, unknown>> {
    if (state !== undefined) {
        const next = nextMetadata(resource.fields, resource.state.stickyOutputs, state, declared);
        const changes = resource.plan(state, declared).steps.flatMap((step) => Object.entries(step.changes));
        const after = { ...state, ...next, ...Object.fromEntries(changes) };
        return { ...after, ...predictDerived(resource, after) };
    }
    const isInEffect = ([name, { effect }]: [string, Field]) =>
        effect !== "ignore" && valueOf(declared, name) !== undefined;
    const given = entriesOf(resource.fields)
        .filter(isInEffect)
        .map(([name]) => [name, valueOf(declared, name)] as const);
    const created =
        declared.existingId === undefined
            ? resource.creation.describe(withName(resource, declared)).observed
            : undefined;
    return { ...created, ...Object.fromEntries(given) };
}

/** The outputs that follow from the others. One is unknown if it depends on an unknown value. */
function predictDerived<Inputs extends CommonInputs, Observed extends object, Item>(
    { state: { derive } }: Resource<Inputs, Observed, Item>,
    state: Observed & StateMetadata,
): Record<string, unknown> {
    const deriveWith = (standIn: string) => derive?.(replaceUnknown(state, standIn) as Observed & StateMetadata) ?? {};
    const [one, other] = [deriveWith("one value"), deriveWith("another value")];
    return Object.fromEntries(
        Object.entries(one).map(([name, value]) => [name, same(value, other[name]) ? value : unknown]),
    );
}

function replaceUnknown(values: object, standIn: string): object {
    return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, hasUnknown(value) ? standIn : value]),
    );
}

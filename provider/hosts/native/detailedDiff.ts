import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { same, valueOf } from "../../base/fields";
import type { Plan, State } from "../../model/resource";
import { valuesAfter, type Step } from "../../model/step";

const { Kind: DiffKind } = PropertyDiff;

const asReplacement = {
    [DiffKind.ADD]: DiffKind.ADD_REPLACE,
    [DiffKind.DELETE]: DiffKind.DELETE_REPLACE,
    [DiffKind.UPDATE]: DiffKind.UPDATE_REPLACE,
} as const;

/** The part of a plan that names properties. */
type ChangedProperties = Pick<Plan, "replace" | "stateChanges"> & {
    readonly steps: readonly Pick<Step, "sets" | "affects">[];
};

/**
 * The inputs that a plan changes: those that replace the resource, those that its steps set, and those that only the state
 * records. Of the last ones, the engine compares the inputs; of the others, the old output with the new input.
 */
export function detailedDiff(
    inputNames: readonly string[],
    state: State,
    declared: object,
    { replace, steps, stateChanges }: ChangedProperties,
): ReadonlyMap<string, PropertyDiff> {
    const changes = new Map<string, PropertyDiff>();
    for (const name of stateChanges.filter((one) => inputNames.includes(one))) {
        const isValueSame = same(valueOf(state, name), valueOf(declared, name));
        const wasDeclared = state.record.declared.includes(name);
        const before = isValueSame && !wasDeclared ? undefined : valueOf(state, name);
        changes.set(name, new PropertyDiff().setKind(changeKindOf(before, valueOf(declared, name))).setInputdiff(true));
    }
    for (const [name, to] of Object.entries(valuesAfter(steps))) {
        const from = valueOf(state, name);
        if (inputNames.includes(name) && !same(from, to)) {
            changes.set(name, new PropertyDiff().setKind(changeKindOf(from, to)));
        }
    }
    for (const { property, from, to } of replace) {
        changes.set(property, new PropertyDiff().setKind(asReplacement[changeKindOf(from, to)]));
    }
    return changes;
}

function changeKindOf(from: unknown, to: unknown): keyof typeof asReplacement {
    if (from === undefined) {
        return DiffKind.ADD;
    }
    return to === undefined ? DiffKind.DELETE : DiffKind.UPDATE;
}

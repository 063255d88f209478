import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { same, valueOf } from "../../inputs/fields";
import type { Plan, Step } from "../../lifecycle/resource";

const { Kind } = PropertyDiff;

/** How one property changes. */
export interface PropertyChange {
    readonly kind: PropertyDiff.Kind;
    /** Whether to compare the inputs. Otherwise the old output is compared with the new input. */
    readonly ofInputs: boolean;
}

/** The part of a plan that names properties. */
type ChangedProperties = Pick<Plan<never>, "replace" | "record"> & {
    readonly steps: readonly Pick<Step<never>, "changes">[];
};

/**
 * The inputs that a plan changes: those that replace the resource, those that its steps set, and those that only the
 * state records.
 */
export function detailedDiff(
    inputNames: readonly string[],
    state: object,
    declared: object,
    { replace, steps, record }: ChangedProperties,
): ReadonlyMap<string, PropertyChange> {
    const changes = new Map<string, PropertyChange>();
    for (const name of record.filter((one) => inputNames.includes(one))) {
        const isValueSame = same(valueOf(state, name), valueOf(declared, name));
        const wasDeclared = (valueOf(state, "__declared") as readonly string[] | undefined)?.includes(name) ?? false;
        const before = isValueSame && !wasDeclared ? undefined : valueOf(state, name);
        changes.set(name, { kind: kindOf(before, valueOf(declared, name)), ofInputs: true });
    }
    for (const [name, to] of steps.flatMap((step) => Object.entries(step.changes))) {
        if (inputNames.includes(name)) {
            changes.set(name, { kind: kindOf(valueOf(state, name), to), ofInputs: false });
        }
    }
    for (const { property, from, to } of replace) {
        changes.set(property, { kind: replacing(kindOf(from, to)), ofInputs: false });
    }
    return changes;
}

function kindOf(from: unknown, to: unknown): PropertyDiff.Kind {
    if (from === undefined) {
        return Kind.ADD;
    }
    return to === undefined ? Kind.DELETE : Kind.UPDATE;
}

function replacing(kind: PropertyDiff.Kind): PropertyDiff.Kind {
    switch (kind) {
        case Kind.ADD:
            return Kind.ADD_REPLACE;
        case Kind.DELETE:
            return Kind.DELETE_REPLACE;
        default:
            return Kind.UPDATE_REPLACE;
    }
}

import { same, show, valueOf } from "../inputs/fields";

/** A property whose declared value is not in effect. */
export interface PropertyDifference {
    readonly property: string;
    readonly declared: unknown;
    readonly found: unknown;
}

/** The declared properties whose value differs from the observed one. */
export function differences(declared: object, observed: object): readonly PropertyDifference[] {
    return Object.entries(declared)
        .map(([property, value]) => ({ property, declared: value as unknown, found: valueOf(observed, property) }))
        .filter(({ declared: value, found }) => !same(value, found));
}

/** Differences in a message: `replicaCount is 1, declared 2`. */
export function describeDifferences(found: readonly PropertyDifference[]): string {
    return found.map((one) => `${one.property} is ${show(one.found)}, declared ${show(one.declared)}`).join("; ");
}

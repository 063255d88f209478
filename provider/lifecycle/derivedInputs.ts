import { valueOf } from "../inputs/fields";
import { hasUnknown } from "../inputs/unknown";
import type { Unchecked } from "./check";
import type { HiddenInputs } from "./resource";

// Inputs from which the program itself derives outputs, so that not every change of them needs an update.

type Marked = Unchecked & Pick<HiddenInputs, "__derivedFrom">;

/** Leaves out those that the last run of an existing resource did not have, such as a run of an older version. */
export function withoutAdded({ __derivedFrom: names = [], ...given }: Marked, olds: Unchecked): Unchecked {
    const isAdded = (name: string) => names.includes(name) && !Object.hasOwn(olds, name);
    const isNew = Object.keys(olds).length === 0;
    return isNew ? given : Object.fromEntries(Object.entries(given).filter(([name]) => !isAdded(name)));
}

/**
 * Keeps the values of those that are unknown: a preview in TypeScript does not know the password of a service that the
 * program does not declare.
 */
export function withOldValues(given: Marked, olds: Unchecked): Unchecked {
    const { __derivedFrom: names = [] } = given;
    const kept = names.filter((name) => hasUnknown(valueOf(given, name)) && Object.hasOwn(olds, name));
    return { ...given, ...Object.fromEntries(kept.map((name) => [name, valueOf(olds, name)])) };
}

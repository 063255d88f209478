import { valueOf } from "../inputs/fields";
import { hasUnknown } from "../inputs/unknown";
import type { Unchecked } from "./check";
import type { HiddenInputs } from "../contract/resource";

/**
 * The inputs of an existing resource. Of those from which the program itself derives outputs, it keeps the old value of one
 * that is unknown, because a preview in TypeScript does not know the password of a service that changes, and leaves out one
 * that the last run did not have, such as a run of an older version.
 */
export function withoutDerivedChanges(given: Unchecked & HiddenInputs, olds: Unchecked): Unchecked {
    const names = Object.keys(olds).length === 0 ? [] : (given.__program?.derivedFrom ?? []);
    const kept = names.filter((name) => hasUnknown(valueOf(given, name)) || !Object.hasOwn(olds, name));
    return { ...given, ...Object.fromEntries(kept.map((name) => [name, valueOf(olds, name)])) };
}

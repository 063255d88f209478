import { valueOf } from "../inputs/fields";
import { hasUnknown } from "../inputs/unknown";
import type { Unchecked } from "./check";
import type { HiddenInputs } from "./resource";

/**
 * The inputs of an existing resource, without changes that no update has to record because the program derives the
 * outputs from these inputs itself. One that the last run did not have, such as a run of an older version, is left out.
 * One that a preview does not know keeps its value.
 */
export function withoutDerivedChanges(
    { __derivedFrom: names = [], ...given }: Unchecked & Pick<HiddenInputs, "__derivedFrom">,
    olds: Unchecked,
): Unchecked {
    if (Object.keys(olds).length === 0) {
        return given;
    }
    const kept = Object.entries(given)
        .filter(([name]) => !names.includes(name) || Object.hasOwn(olds, name))
        .map(([name, value]) => [name, names.includes(name) && hasUnknown(value) ? valueOf(olds, name) : value]);
    return Object.fromEntries(kept) as Unchecked;
}

import type { Declared, Kind, Resource, State, StateMetadata } from "./resource";
import { changesIn } from "../inputs/fields";
import type { Replacement } from "../inputs/finding";

/** Why a resource must not be deleted, or undefined if it may be deleted. */
export function deletionRefusal(subject: string, { deletionProtection }: StateMetadata): string | undefined {
    return deletionProtection === true
        ? `${subject} has deletionProtection. Declare it in the program with deletionProtection: false, run ` +
              `\`pulumi up\`, and then delete the resource. \`pulumi state unprotect\` is not enough.`
        : undefined;
}

/** Whether the deletion of a resource makes a last copy of its data: any of these inputs asks for it. */
export function keepsLastCopy<K extends Kind>({ deletion }: Resource<K>, ...all: readonly Declared<K>[]): boolean {
    return all.some((inputs) => deletion?.lastCopy?.isWanted(inputs) === true);
}

/** Why these changes, which are certain, must not replace a resource; undefined if they may. */
export function replacementRefusal<K extends Kind>(
    resource: Resource<K>,
    subject: string,
    state: State<K>,
    declared: Declared<K>,
    replace: readonly Replacement[],
): string | undefined {
    const refusal = resource.replacementRefusal?.(state, declared, replace);
    if (refusal !== undefined || state.deletionProtection !== true) {
        return refusal;
    }
    return (
        `${subject} would be replaced (${changesIn(replace)}), but has deletionProtection. ` +
        `Set it to false and run \`pulumi up\` before you make this change.`
    );
}

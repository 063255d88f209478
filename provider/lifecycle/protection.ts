import type { CommonInputs, StateMetadata, Resource } from "./resource";
import { changesIn } from "../inputs/fields";
import type { Planned } from "../inputs/unknown";
import type { Replacement } from "../inputs/finding";

/** Why a resource must not be deleted, or undefined if it may be deleted. */
export function deletionRefusal(subject: string, { deletionProtection }: StateMetadata): string | undefined {
    return deletionProtection === true
        ? `${subject} has deletionProtection. Set it to false in the program, where the resource must be declared, run ` +
              `\`pulumi up\`, and then delete the resource. \`pulumi state unprotect\` is not enough.`
        : undefined;
}

/** Why these changes, which are certain, must not replace a resource; undefined if they may. */
export function replacementRefusal<Inputs extends CommonInputs, Observed extends object>(
    { replacement }: Pick<Resource<Inputs, Observed, unknown>, "replacement">,
    subject: string,
    state: Observed & StateMetadata,
    declared: Planned<Inputs>,
    replace: readonly Replacement[],
): string | undefined {
    const refusal = replacement?.refusal(state, declared, replace);
    if (refusal !== undefined || state.deletionProtection !== true) {
        return refusal;
    }
    return (
        `${subject} would be replaced (${changesIn(replace)}), but has deletionProtection. ` +
        `Set it to false and run \`pulumi up\` before you make this change.`
    );
}

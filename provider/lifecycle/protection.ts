import { interruptionIn, type StateRecord, type Unobserved } from "../model/state";
import { unknown } from "../base/fields";
import { info, warning, type Notice } from "../base/message";
import type { Declared, Resource } from "../model/resource";

/**
 * Whether the state of a resource, or the program of this run, forbids that it is deleted or replaced. A state without a value
 * comes from an earlier version, which had another default.
 */
export function isProtected(
    { hasData }: Pick<Resource, "hasData">,
    { deletionProtection }: Pick<Unobserved, "deletionProtection">,
    declared?: { readonly deletionProtection?: unknown },
): boolean {
    return (deletionProtection ?? hasData) || declared?.deletionProtection === true;
}

/** The line of a change of the protection: a warning if it permits the deletion of data. */
export function protectionNotices(
    { hasData, noun }: Resource,
    state: Pick<Unobserved, "deletionProtection">,
    { deletionProtection: to }: Declared,
): readonly Notice[] {
    if (to === undefined || to === isProtected({ hasData }, state)) {
        return [];
    }
    if (to === true) {
        return [info("deletion protection on")];
    }
    const text =
        to === unknown
            ? "deletion protection may change (known after apply)"
            : `deletion protection off: a later run can delete this ${hasData ? "database" : noun}`;
    return [hasData ? warning(text) : info(text)];
}

/** What the preview of a creation adds if the new resource replaces one with data, and has no protection. */
export function unprotectedReplacement(
    { hasData, noun }: Resource,
    { deletionProtection }: Declared,
): string | undefined {
    return hasData && deletionProtection === false
        ? `the new ${noun} is not protected: a later run can delete it`
        : undefined;
}

/** What a replacement does with the old resource, whose id may be unknown. */
export function replacementOf(
    { noun, hasData }: Resource,
    record: Pick<StateRecord, "interruption">,
    cause: string,
    id?: string,
): string {
    const deleted = hasData ? "deleted, and its data will be lost, unless retainOnDelete keeps it" : "deleted";
    const end = interruptionIn(record).isOwned ? deleted : "kept, because no run has completed its adoption";
    return `is replaced (${cause}): the old ${noun}${id === undefined ? "" : ` ${id}`} is ${end}`;
}

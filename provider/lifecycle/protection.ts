import { unknown } from "../inputs/unknown";
import { info, warning, type Notice } from "./notice";
import type { Declared, Kind, Resource, State, StateMetadata } from "../contract/resource";

/**
 * Whether the state of a resource, or the program of this run, forbids that it is deleted or replaced. A state without a value
 * comes from an earlier version, which had another default.
 */
export function isProtected<K extends Kind>(
    { hasData }: Pick<Resource<K>, "hasData">,
    { deletionProtection }: Pick<StateMetadata, "deletionProtection">,
    declared?: { readonly deletionProtection?: unknown },
): boolean {
    return (deletionProtection ?? hasData) || declared?.deletionProtection === true;
}

/** The line of a change that permits the deletion of a database. */
export const protectionOff = "deletion protection off: a later run can delete this database";

/** The line of a change of the protection: a warning if it permits the deletion of data. */
export function protectionChange<K extends Kind>(
    resource: Resource<K>,
    state: Pick<StateMetadata, "deletionProtection">,
    { deletionProtection: to }: Declared<K>,
): readonly Notice[] {
    if (to === undefined || to === isProtected(resource, state)) {
        return [];
    }
    if (to === true) {
        return [info("deletion protection on")];
    }
    const off = resource.hasData
        ? protectionOff
        : `deletion protection off: a later run can delete this ${resource.noun}`;
    const text = to === unknown ? "deletion protection may change (known after apply)" : off;
    return [resource.hasData ? warning(text) : info(text)];
}

/** What the preview of a creation adds if the new resource replaces one with data, and has no protection. */
export function unprotectedReplacement<K extends Kind>(
    { hasData, noun }: Resource<K>,
    { deletionProtection }: Declared<K>,
): string | undefined {
    return hasData && deletionProtection === false
        ? `the new ${noun} is not protected: a later run can delete it`
        : undefined;
}

/** Whether this stack has created the resource, or completed its adoption. It deletes no other one. */
export function isOwned({ __interrupted: interrupted }: Pick<StateMetadata, "__interrupted">): boolean {
    return interrupted !== "adoption";
}

/** What a replacement does with the old resource, whose id may be unknown. */
export function replacementOf<K extends Kind>(
    { noun, hasData }: Resource<K>,
    state: State<K>,
    cause: string,
    id?: string,
): string {
    const deleted = hasData ? "deleted, and its data will be lost" : "deleted";
    const end = isOwned(state) ? deleted : "kept, because no run has completed its adoption";
    return `is replaced (${cause}): the old ${noun}${id === undefined ? "" : ` ${id}`} is ${end}`;
}

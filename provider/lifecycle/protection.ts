import type { Kind, Resource, State, StateMetadata } from "../contract/resource";

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

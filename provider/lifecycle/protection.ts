import type { Kind, Resource, State, StateMetadata } from "../contract/resource";

/**
 * Whether the state forbids the deletion of a resource. A state without a value comes from an earlier version, which had
 * another default.
 */
export function isProtected<K extends Kind>(
    { hasData }: Pick<Resource<K>, "hasData">,
    { deletionProtection }: Pick<StateMetadata, "deletionProtection">,
): boolean {
    return deletionProtection ?? hasData === true;
}

/** Whether the deletion of a resource first makes a copy of its data. */
export function keepsLastCopy<K extends Kind>({ deletion }: Resource<K>, state: State<K>): boolean {
    return deletion?.lastCopy?.isWanted(state) === true;
}

import { unknown } from "../inputs/unknown";
import { info, warning, type Notice } from "./notice";
import type { Declared, Kind, Resource, State, StateMetadata } from "../contract/resource";

/** What the state says about the deletion of a resource. */
type Recorded = Pick<StateMetadata, "deletionProtection">;

/**
 * Whether the state forbids the deletion of a resource. A state without a value comes from an earlier version, which had
 * another default.
 */
export function isProtected<K extends Kind>(
    { hasData }: Pick<Resource<K>, "hasData">,
    { deletionProtection }: Recorded,
): boolean {
    return deletionProtection ?? hasData;
}

/** Who forbids the deletion of a resource: its state, or the program of this run. Undefined if it may be deleted. */
export function protectorOf<K extends Kind>(
    resource: Pick<Resource<K>, "hasData">,
    state: Recorded,
    declared: { readonly deletionProtection?: unknown } | undefined,
): "its state" | "the program" | undefined {
    if (isProtected(resource, state)) {
        return "its state";
    }
    return declared?.deletionProtection === true ? "the program" : undefined;
}

/** The line of a change that permits the deletion of a database. */
export const protectionOff = "deletion protection off: a later run can delete this database";

/** The line of a change of the protection: a warning if it permits the deletion of data. */
export function protectionChange<K extends Kind>(
    resource: Resource<K>,
    state: Recorded,
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

/** Whether the deletion of a resource first makes a copy of its data. */
export function keepsLastCopy<K extends Kind>({ deletion }: Resource<K>, state: State<K>): boolean {
    return deletion?.lastCopy?.isWanted(state) === true;
}

/** What happens to the data in a deletion: `be lost`. Undefined for a resource without data. */
export function fateOfData<K extends Kind>(resource: Resource<K>, state: State<K>): string | undefined {
    const fate = keepsLastCopy(resource, state) ? "remain in a last copy" : "be lost";
    return resource.hasData ? fate : undefined;
}

/** What a replacement does with the old resource, whose id may be unknown. */
export function replacementOf<K extends Kind>(
    resource: Resource<K>,
    state: State<K>,
    cause: string,
    id?: string,
): string {
    const fate = fateOfData(resource, state);
    const deleted = fate === undefined ? "deleted" : `deleted, and its data will ${fate}`;
    const end = isOwned(state) ? deleted : "kept, because no run has completed its adoption";
    return `is replaced (${cause}): the old ${resource.noun}${id === undefined ? "" : ` ${id}`} is ${end}`;
}

import type { Kind, Resource } from "./resource";

type Observing<K extends Kind> = Pick<Resource<K>, "observation">;

/** Whether the resource is being deleted. */
export function isDeleting<K extends Kind>({ observation }: Observing<K>, item: K["Item"]): boolean {
    const outcome = observation.readiness(item, {}, "rest");
    return outcome.kind === "failed" && outcome.isDeletion === true;
}

/** Whether a resource with this state may still be in creation. A state has the status under the name of the API. */
export function isCreating<K extends Kind>({ observation }: Observing<K>, state: object): boolean {
    const outcome = observation.readiness(state, {}, "rest");
    return outcome.kind === "pending" && outcome.isCreation === true;
}

/** Whether no change was in progress when the resource was last read. */
export function wasAtRest<K extends Kind>({ observation }: Observing<K>, state: object): boolean {
    return observation.readiness(state, {}, "rest").kind === "ready";
}

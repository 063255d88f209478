import { Guard } from "./guard";
import type { Resource } from "../model/resource";
import type { Session } from "./session";

/** One kind of resource in a process of the provider. Each call of the engine receives it. */
export interface Managed {
    readonly resource: Resource;
    readonly session: Session;
    readonly guard: Guard;
    /** All kinds of resources, this one included. */
    readonly kinds: readonly Resource[];
}

export function manage(resource: Resource, session: Session, kinds: readonly Resource[]): Managed {
    return { resource, session, guard: new Guard(resource, session.registry), kinds };
}

/** Adds the default project. */
export function inProject<Given extends { readonly projectId?: unknown }>(
    session: Session,
    given: Given,
): Given & { projectId: string } {
    return { ...given, projectId: (given.projectId ?? session.projectId()) as string };
}

import type { Timeouts } from "../inputs/finding";
import { Guard } from "./guard";
import { show, valueOf } from "../inputs/fields";
import { shortHash } from "../inputs/names";
import { hasUnknown, unknown } from "../inputs/unknown";
import type { OperationContext } from "../contract/operation";
import type { Declared, HiddenInputs, Kind, OperationKind, Resource, Times } from "../contract/resource";
import type { Session } from "./session";

/** One kind of resource in a process of the provider. Each call of the engine receives it. */
export interface Managed<K extends Kind> {
    readonly resource: Resource<K>;
    readonly session: Session;
    readonly guard: Guard<K>;
    /** All kinds of resources, this one included. */
    readonly kinds: readonly Resource<Kind>[];
}

export function manage<K extends Kind>(
    resource: Resource<K>,
    session: Session,
    kinds: readonly Resource<Kind>[],
): Managed<K> {
    return { resource, session, guard: new Guard(resource, session.registry), kinds };
}

/** The context of an operation. */
export function contextOf<K extends Kind>(
    { session }: Managed<K>,
    operation: OperationKind,
    { __urn, __timeouts }: HiddenInputs,
    times: Times,
    timeouts: Timeouts | undefined = __timeouts,
): OperationContext {
    return session.operationContext(operation, __urn, times, timeouts);
}

/** Adds the hash of the parent's input that moves endpoints, if the program has declared the parent. */
export function ofParent<K extends Kind>(
    { resource: { parent }, session }: Managed<K>,
    declared: Declared<K>,
): Declared<K> {
    const [projectId, id] = [declared.projectId, parent && valueOf(declared, parent.input)];
    if (parent?.moves === undefined || typeof projectId !== "string" || typeof id !== "string") {
        return declared;
    }
    const manager = session.registry.managerOrAdopterOf({ type: parent.kind.type, projectId, id });
    if (manager?.declared === undefined) {
        return declared;
    }
    const value = valueOf(manager.declared.inputs, parent.moves.input);
    return { ...declared, __parentHash: hasUnknown(value) ? unknown : shortHash(show(value)) };
}

/** Adds the default project. */
export function inProject<Given extends { readonly projectId?: unknown }>(
    session: Session,
    given: Given,
): Given & { projectId: string } {
    return given.projectId === undefined
        ? { ...given, projectId: session.projectId() }
        : (given as Given & { projectId: string });
}

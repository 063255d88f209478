import { valueOf } from "../base/fields";
import { waitActivity } from "../observe/progress";
import { adoptedId, collectionPath, pathOf } from "../model/path";
import { subjectIn, type Context } from "../model/context";
import type { Checked, CommonInputs, Declared, Journal, Target, Resource } from "../model/resource";
import { logicalName } from "../base/names";
import { hasUnknown } from "../base/unknown";

/** The name of a resource at the API: by default, the one that the program declares. */
export function nameOf({ identity }: Resource, inputs: Declared): string | undefined {
    if (identity.nameOf !== undefined) {
        return identity.nameOf(inputs);
    }
    const name = valueOf(inputs, "name");
    return typeof name === "string" ? name : undefined;
}

/** A text of the values that no other resource may share: what it adopts, or what the API allows once. Undefined while one is unknown. */
export function identityOf(resource: Resource, inputs: Declared): string | undefined {
    const { type, identity } = resource;
    const { existingId } = inputs;
    const values = existingId === undefined ? (identity.unique?.(inputs) ?? []) : adoptedIn(resource, inputs);
    return values.length === 0 || values.includes(undefined) || hasUnknown(values)
        ? undefined
        : JSON.stringify([type, existingId === undefined, ...values]);
}

/** The project and the full id of the resource that `existingId` names. Empty while one of them is not known. */
export function adoptedIn(
    resource: Resource,
    inputs: Declared,
): readonly [] | readonly [projectId: string, id: string] {
    const { existingId, projectId } = inputs;
    const known = inputs as CommonInputs;
    // The id may be relative to a parent that is not known yet.
    return typeof existingId === "string" &&
        typeof projectId === "string" &&
        !hasUnknown(collectionPath(resource, projectId, known))
        ? [projectId, adoptedId(resource, existingId, known)]
        : [];
}

/** The resource in messages, with its name in the program: `Service "orders" (s1)`. */
export function subjectOf(resource: Resource, inputs: Declared, id?: string): string {
    const { __urn: urn } = inputs;
    return subjectIn(resource, urn === undefined ? nameOf(resource, inputs) : logicalName(urn), id);
}

const ignore = (): void => undefined;

/** For an operation that changes no state. */
const noJournal: Journal = { observed: ignore, sending: ignore, rejected: ignore, completed: ignore };

/** An existing resource, with the inputs that are in effect after the operation on it. */
export function targetOf(resource: Resource, id: string, inputs: Checked, context: Context): Target {
    return {
        resource,
        id,
        path: pathOf(resource, inputs.projectId, id),
        inputs,
        subject: subjectOf(resource, inputs, id),
        activity: waitActivity,
        context,
        journal: noJournal,
    };
}

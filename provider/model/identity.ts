import { valueOf, hasComputed } from "../base/fields";
import { idIn, parametersIn } from "../api/client";
import { operations } from "../api/operations.gen";
import type { CommonInputs, Path, ObservableKind, Resource, Declared } from "./resource";
import { subjectIn, logicalName } from "../base/message";
import { autoName } from "../base/names";
import type { ResourceRef } from "./ledger";

type WithOperations = Pick<ObservableKind<unknown>, "operations">;

/** The path of the resource with this id. */
export function pathOf(kind: WithOperations, projectId: string, id: string): Path {
    const parameters = itemParameters(kind);
    const parts = id.split("/");
    const parents = parts.slice(0, parameters.length - 2);
    const own = parts.slice(parents.length).join("/");
    return filled(parameters, [projectId, ...parents, own]);
}

/** The path of the collection in which these inputs create a resource. */
export function collectionPath(
    { operations: { list }, parent }: Resource,
    projectId: string,
    inputs: CommonInputs,
): Path {
    const parameters = parametersIn(operations[list].path);
    return filled(parameters, [projectId, ...(parent === undefined ? [] : [valueOf(inputs, parent.input)])]);
}

/** The id of the parent in the path of a collection or a resource. */
export function parentIdOf({ operations: { list } }: WithOperations, collection: Path): string {
    return collection[parametersIn(operations[list].path).at(-1) ?? ""] ?? "";
}

/** The id of a resource in this collection. It begins with the id of the parent. */
export function idOf(resource: Resource, item: unknown, collection: Path): string {
    const own = String(ownIdOf(resource, item as object));
    return resource.parent === undefined ? own : `${parentIdOf(resource, collection)}/${own}`;
}

/** The id of an entry within its collection. It can be anything if the entry is malformed. */
export function ownIdOf(kind: WithOperations, entry: object): unknown {
    return idIn(entry, itemParameters(kind).at(-1));
}

/** The full id of an adopted resource, whose `existingId` may omit the id of the parent. */
export function adoptedId({ parent }: Resource, existingId: string, inputs: CommonInputs): string {
    return parent === undefined || existingId.includes("/")
        ? existingId
        : `${String(valueOf(inputs, parent.input))}/${existingId}`;
}

/** The parameters in the path of a resource. */
function itemParameters({ operations: { list, get, delete: remove = list } }: WithOperations): readonly string[] {
    return parametersIn(operations[get ?? remove].path);
}

function filled(parameters: readonly string[], values: readonly unknown[]): Path {
    return Object.fromEntries(parameters.map((name, index) => [name, values[index] ?? ""])) as unknown as Path;
}

/** The name of a resource at the API: by default, the one that the program declares. */
export function nameOf({ identity }: Resource, inputs: Declared): string | undefined {
    if (identity.nameOf !== undefined) {
        return identity.nameOf(inputs);
    }
    const name = valueOf(inputs, "name");
    return typeof name === "string" ? name : undefined;
}

/** Whether a new resource needs a name that the program does not declare. An adopted resource keeps its name. */
export function needsName({ fields }: Resource, declared: Declared): boolean {
    return "name" in fields && valueOf(declared, "name") === undefined && declared.existingId === undefined;
}

/** The inputs, with the engine's name if the program declares none. */
export function withEngineName<D extends Declared>(resource: Resource, declared: D): D {
    const { __generatedName: name } = declared;
    return name !== undefined && needsName(resource, declared) ? { ...declared, name } : declared;
}

/** The inputs, with the engine's name or one generated from the URN if the program declares none. */
export function withName<D extends Declared>(resource: Resource, declared: D): D {
    const named = withEngineName(resource, declared);
    return named.__urn !== undefined && needsName(resource, named) ? { ...named, name: autoName(named.__urn) } : named;
}

/** A text of the values that no other resource may share: what it adopts, or what the API allows once. Undefined while one is unknown. */
export function identityOf(resource: Resource, inputs: Declared): string | undefined {
    const { type, identity } = resource;
    const { existingId } = inputs;
    const values =
        existingId === undefined ? (identity.unique?.(inputs) ?? []) : Object.values(adoptedBy(resource, inputs) ?? {});
    return values.length === 0 || values.includes(undefined) || hasComputed(values)
        ? undefined
        : JSON.stringify([type, existingId === undefined, ...values]);
}

/** The resource that `existingId` names. Undefined while that is not known. */
export function adoptedBy(resource: Resource, inputs: Declared): ResourceRef | undefined {
    const { existingId, projectId } = inputs;
    const complete = inputs as CommonInputs;
    // The id may be relative to a parent that is not known yet.
    return typeof existingId === "string" &&
        typeof projectId === "string" &&
        !hasComputed(collectionPath(resource, projectId, complete))
        ? refTo(resource, projectId, adoptedId(resource, existingId, complete))
        : undefined;
}

export const refTo = ({ type }: Resource, projectId: string, id: string): ResourceRef => ({ type, projectId, id });

/** The resource in messages, with its name in the program: `Service "orders" (s1)`. */
export function subjectOf(resource: Resource, inputs: Declared, id?: string): string {
    const { __urn: urn } = inputs;
    return subjectIn(resource, urn === undefined ? nameOf(resource, inputs) : logicalName(urn), id);
}

import { valueOf } from "../base/fields";
import { idIn, parametersIn } from "../api/client";
import { operations } from "../api/operations.gen";
import type { CommonInputs, Path, ObservableKind, Resource } from "./resource";

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

/** The id of the parent of a collection. */
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

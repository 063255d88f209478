import { entriesOf, same, show, valueOf } from "../inputs/fields";
import { copyIn } from "../reconcile/references";
import { readResource } from "../observe/reads";
import { nameIn } from "./errors";
import { known, resolvedInput } from "./metadata";
import { warning, type Notice } from "./notice";
import { currentValues } from "./readInputs";
import { operationOn } from "./subject";
import type { Managed } from "./managed";
import type { OperationContext } from "../contract/operation";
import type { Declared, Kind, Stored } from "../contract/resource";
import type { ResourceRef } from "../contract/registry";

/** The source of a copy. Undefined if the inputs ask for none, or it is not known yet. */
function sourceOf<K extends Kind>({ resource }: Managed<K>, inputs: Declared<K>): ResourceRef | undefined {
    const { id } = copyIn(resource, inputs) ?? {};
    const { projectId } = inputs;
    return typeof id === "string" && typeof projectId === "string" ? { type: resource.type, projectId, id } : undefined;
}

/** Names the inputs that the program declares for the source of a copy and not for the copy, which may take its place. */
export function undeclaredOfSource<K extends Kind>(managed: Managed<K>, inputs: Declared<K>): readonly Notice[] {
    const { resource, session } = managed;
    const ref = sourceOf(managed, inputs);
    const source = ref && session.registry.managerOf(ref, inputs.__urn);
    const declared = source?.declared?.inputs ?? {};
    const names = entriesOf(resource.fields)
        .filter(([name, { onChange }]) => onChange === "update" || (onChange === "stateOnly" && name !== resolvedInput))
        .map(([name]) => name)
        .filter(
            (name) => name !== "name" && valueOf(declared, name) !== undefined && valueOf(inputs, name) === undefined,
        );
    return source === undefined || names.length === 0
        ? []
        : [
              warning(
                  `it copies the data of ${nameIn(source.urn)}, not its inputs: it does not declare ${names.join(", ")}. ` +
                      `Declare them if it takes the place of ${nameIn(source.urn)}`,
              ),
          ];
}

/**
 * Names the values of the source of a new copy that the copy does not have. A preview does not read a source that the program
 * does not manage. A failure to read it now does not fail the creation.
 */
export async function differencesFromSource<K extends Kind>(
    managed: Managed<K>,
    inputs: Declared<K>,
    { state }: Stored<K>,
    context: OperationContext,
): Promise<readonly Notice[]> {
    const { resource, session } = managed;
    const ref = sourceOf(managed, inputs);
    if (ref === undefined || session.registry.managerOf(ref) !== undefined) {
        return [];
    }
    const operation = operationOn(resource, ref.id, known<K>(inputs), context);
    const item = await readResource(operation).catch(() => undefined);
    const found = item && currentValues(resource.fields, resource.observation.observe(item, operation.path));
    const values = Object.entries(found ?? {})
        .filter(
            ([name, value]) =>
                name !== "name" && valueOf(inputs, name) === undefined && !same(value, valueOf(state, name)),
        )
        .map(([name, value]) => `${name} ${show(value)}`);
    return values.length === 0
        ? []
        : [
              warning(
                  `it copies the data of ${resource.noun} ${ref.id}, not its inputs: that one has ${values.join(", ")}. ` +
                      `Declare them if it takes its place`,
              ),
          ];
}

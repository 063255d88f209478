import type { CloudDbError } from "../api/errors";
import { entriesOf, same, show, valueOf } from "../inputs/fields";
import { copyIn } from "../reconcile/references";
import { readResource } from "../observe/reads";
import { copyOfEarlierReplacement, nameIn } from "./errors";
import { known, resolvedInput } from "./metadata";
import { warning, type Notice } from "./notice";
import { previewContextOf } from "./read";
import { currentValues } from "./readInputs";
import { operationOn } from "./subject";
import type { Managed } from "./managed";
import type { OperationContext } from "../contract/operation";
import type { Declared, Kind, Resource, Stored } from "../contract/resource";
import type { ResourceRef } from "../contract/registry";

/** The source of a copy. Undefined if the inputs ask for none, or it is not known yet. */
function sourceOf<K extends Kind>({ resource }: Managed<K>, inputs: Declared<K>): ResourceRef | undefined {
    const { id } = copyIn(resource, inputs) ?? {};
    const { projectId } = inputs;
    return typeof id === "string" && typeof projectId === "string" ? { type: resource.type, projectId, id } : undefined;
}

/**
 * What a creation says about a source that took the place of another resource without its data: it must not copy it while that
 * one exists, and warns once it is gone.
 */
export async function emptySource<K extends Kind>(
    managed: Managed<K>,
    inputs: Declared<K>,
    context: () => OperationContext,
): Promise<{ readonly refusal?: CloudDbError; readonly warnings: readonly Notice[] }> {
    const { resource, guard } = managed;
    const source = guard.replacementIn(inputs);
    if (source === undefined) {
        return { warnings: [] };
    }
    const { urn, id, former } = source;
    const item = await readResource(operationOn(resource, former, known<K>(inputs), context()));
    if (item !== undefined) {
        return { refusal: copyOfEarlierReplacement(resource.noun, nameIn(inputs.__urn ?? ""), source), warnings: [] };
    }
    const text = `it copies ${nameIn(urn)} (${id}), which took the place of ${resource.noun} ${former}: the data of that one is gone, and not in this copy`;
    return { warnings: [warning(text)] };
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

/** A resource that the program does not manage, and whose data it copies. */
export interface ForeignSource {
    readonly id: string;
    readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads the source of a copy before its creation, because nothing may delay the response to that. A preview does not read it.
 * Undefined if the program manages it, or if it cannot be read.
 */
export async function foreignSource<K extends Kind>(
    managed: Managed<K>,
    inputs: Declared<K>,
): Promise<ForeignSource | undefined> {
    const { resource, session } = managed;
    const ref = sourceOf(managed, inputs);
    if (ref === undefined || session.registry.managerOf(ref) !== undefined) {
        return undefined;
    }
    const { id } = ref;
    const operation = operationOn(resource, id, known<K>(inputs), previewContextOf(managed, inputs));
    const item = await readResource(operation).catch(() => undefined);
    return item && { id, values: currentValues(resource.fields, resource.observation.observe(item, operation.path)) };
}

/** Names the values of the source of a new copy that the copy does not have. */
export function differencesFromSource<K extends Kind>(
    resource: Resource<K>,
    inputs: Declared<K>,
    { state }: Stored<K>,
    source: ForeignSource,
): readonly Notice[] {
    const values = Object.entries(source.values)
        .filter(
            ([name, value]) =>
                name !== "name" && valueOf(inputs, name) === undefined && !same(value, valueOf(state, name)),
        )
        .map(([name, value]) => `${name} ${show(value)}`);
    return values.length === 0
        ? []
        : [
              warning(
                  `it copies the data of ${resource.noun} ${source.id}, not its inputs: that one has ${values.join(", ")}. ` +
                      `Declare them if it takes its place`,
              ),
          ];
}

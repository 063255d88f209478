import { isCreation, type OperationId } from "./wire";
import { listsIn } from "./world/find";
import type { Handlers } from "./world/handler";
import { parentIdOf, type Kind } from "./world/kind";
import type { AnySetting } from "./world/settings";
import type { Dated } from "./world/state";
import type { World } from "./world/world";
import type { Definition } from "./kinds/definition";
import { identityHandlers } from "./kinds/identity";
import { peeringDefinition } from "./kinds/peerings";
import { replicaSetDefinition } from "./kinds/replicaSets";
import { serviceDefinition } from "./kinds/services";
import { vpcDefinition } from "./kinds/vpcs";

// The resource kinds, each after the one that contains it. A new kind is complete with its definition in these lists. With the
// type, the declarations of the package keep the comments of the members.
type Defined = typeof vpcDefinition | typeof peeringDefinition | typeof serviceDefinition | typeof replicaSetDefinition;
const all: readonly Defined[] = [vpcDefinition, peeringDefinition, serviceDefinition, replicaSetDefinition];

/** The name of a kind in the paths of the API and of the controls. */
export type KindName = Defined["kind"]["name"];

/** The definition of each kind. */
type Named = { [D in Defined as D["kind"]["name"]]: D };

/** The API's model of each kind, with the id of the parent. */
export type ModelsInParents = {
    [K in KindName]: ReturnType<Named[K]["view"]> & Record<`${Named[K]["kind"]["parent"]}_id`, string>;
};

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (one: infer All) => void
    ? All
    : never;

/** A part of all definitions as one object. */
const merged = <Part extends "operations" | "durations" | "controls">(part: Part) =>
    Object.assign({}, ...all.map((one) => one[part])) as Intersection<Defined[Part]>;

const definitions: readonly Definition[] = all;

export const kinds: readonly Kind[] = definitions.map(({ kind }) => kind);

/** The handler of each operation. A new operation does not compile until it has one. */
export const handlers: Handlers = {
    ...identityHandlers,
    ...merged("operations"),
};

export const durationsOfKinds: Intersection<Defined["durations"]> = merged("durations");

export const controlsOfKinds: Intersection<Defined["controls"]> = merged("controls");

const byName = new Map(definitions.map((definition) => [definition.kind.name, definition]));

export function definitionOf({ name }: Kind): Definition {
    const definition = byName.get(name);
    if (!definition) {
        throw new Error(`There is no kind ${name}.`);
    }
    return definition;
}

/** The kind that an operation creates. */
export const creationOf = (operationId: OperationId): Kind | undefined =>
    isCreation(operationId) ? definitions.find(({ operations }) => operationId in operations)?.kind : undefined;

/** The settings of all kinds. */
export const settings: Readonly<Record<string, AnySetting>> = Object.fromEntries(
    definitions.flatMap((one) => Object.entries(one.settings ?? {})),
);

/** The model of a resource with the id of its parent, but without the lists of other kinds. */
export const viewInParent = (world: World, kind: Kind, record: Dated): object => ({
    ...definitionOf(kind).view(record, world),
    [`${kind.parent}_id`]: parentIdOf(kind, record),
});

/** The complete model of a resource. */
export const modelInParent = (world: World, kind: Kind, record: Dated): object => ({
    ...viewInParent(world, kind, record),
    ...listsIn(world, kind, record),
});

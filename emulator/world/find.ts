import { notFound } from "../errors";
import { parentIdOf, singularOf, type Kind, type Subject } from "./kind";
import type { Dated } from "./state";
import type { World } from "./world";

/** The resources of a kind that a list of their parent contains. A resource becomes visible to reads first. */
export const listed = <R extends Dated>(world: World, kind: Kind<R>, parentId: string): R[] =>
    world
        .within(kind, parentId)
        .filter(({ visibleAt, listedAt = visibleAt }) => visibleAt <= world.now && listedAt <= world.now);

/** The lists of other kinds in the model of a resource. */
export const listsIn = (world: World, kind: Kind, record: Dated): Record<string, object[]> =>
    Object.fromEntries(
        world.childrenOf(kind).flatMap((child) => {
            const { listed: list } = child;
            return list ? [[list.as, listed(world, child, record.id).map((one) => list.view(one, record))]] : [];
        }),
    );

/** Finds a resource for a control or the page, even if it is not visible to reads yet. */
export function findAny<R extends Dated>(world: World, kind: Kind<R>, id: string): R {
    world.catchUp();
    return world.records(kind).get(id) ?? missing(kind, id, "in the emulator");
}

/** The resource that the path of a request names. A path can contain the ids of two kinds. The contained resource comes last. */
export function addressed(world: World, path: string): Subject | undefined {
    const [withoutQuery = ""] = path.split("?");
    const [id = "", ...parts] = withoutQuery.split("/").reverse();
    const named = parts.map((name, index) => ({
        kind: world.kinds.find((kind) => kind.name === name),
        id: parts[index - 1] ?? id,
    }));
    const { kind, id: last = "" } = named.find((one) => one.kind !== undefined) ?? {};
    const record = kind && world.records(kind).get(last);
    return record && { kind, record };
}

/** A request, as far as it names resources. */
export interface Addressing {
    world: World;
    params: object;
}

/** Finds the resource that a request names with what contains it. A resource that is not visible yet is not found. */
export function found<R extends Dated>(kind: Kind<R>, { world, params }: Addressing): R {
    const { project_id: projectId = "", [paramOf(kind)]: id = "" } = params as Readonly<Record<string, string>>;
    const parent = world.parentOf(kind);
    const parentId = parent ? found(parent, { world, params }).id : projectId;
    const place = parent ? `of ${parent.noun} ${parentId}` : `in project ${projectId}`;
    return visible(world, kind, parentId, id) ?? missing(kind, id, place, holderOf(world, kind, parentId, id));
}

/** The name of its id in the paths of the contract. */
const paramOf = (kind: Kind): string =>
    `${singularOf(kind)
        .replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)
        .replaceAll("-", "_")}_id`;

export function visible<R extends Dated>(world: World, kind: Kind<R>, parentId: string, id: string): R | undefined {
    const record = world.records(kind).get(id);
    return record && parentIdOf(kind, record) === parentId && record.visibleAt <= world.now ? record : undefined;
}

/** If the id is that of a child: what it is, for a message. */
function holderOf(world: World, kind: Kind, parentId: string, id: string): string {
    for (const child of world.childrenOf(kind)) {
        const record = world.records(child).get(id);
        const parent = record && visible(world, kind, parentId, parentIdOf(child, record));
        if (parent && record.visibleAt <= world.now) {
            return ` It is the id of a ${child.noun} of ${kind.noun} ${parent.id}.`;
        }
    }
    return "";
}

function missing({ noun }: Kind, id: string, place: string, more = ""): never {
    throw notFound(`There is no ${noun} ${id} ${place}.${more}`);
}

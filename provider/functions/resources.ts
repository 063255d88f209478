import type { WayOut } from "../base/message";
import type { Kind, Resource } from "../model/resource";
import { outputsWhere } from "../model/outputs";
import { collectionPath, pathOf } from "../model/identity";
import { valueOf } from "../base/fields";
import { collectionAt } from "../observe/reads";
import { FunctionError, projectOf } from "./function";
import type { InProject, ProjectArgs, ProviderFunction } from "./function";

// `npm run generate` writes the functions of each kind to `resources.gen.ts`. One that differs has a definition with its name in
// this folder.

type Result<K extends Kind, More> = K["Observed"] & More & InProject;

/** What a function returns in addition to what a state has. */
type Report<K extends Kind, More> = (item: K["Item"], path: K["Parent"]) => Partial<More>;

/** The function that returns all resources of a kind in a project, or in the parent that the arguments name. */
export function listFunction<K extends Kind, Args extends ProjectArgs, More extends object = object>(
    resource: Resource<K>,
    list: string,
    report: Report<K, More> = () => ({}),
): ProviderFunction<Args, Result<K, More>[]> {
    return {
        required: argumentsOf(resource.parent?.input),
        list,
        run: async (args, context) => {
            const projectId = projectOf(args, context);
            const path = collectionPath(resource, projectId, args);
            const items = await collectionAt<K["Item"]>(resource, path, context.client).list(context.options);
            const resultOf = (item: K["Item"]) => ({
                ...resource.observation.observe(item, path),
                ...report(item, path),
            });
            return items.map((item) => ({ projectId, ...resultOf(item) }) as Result<K, More>);
        },
    };
}

/** The function that returns the resource with the id in the arguments. */
export function getFunction<K extends Kind, Args extends ProjectArgs, More extends object = object>(
    resource: Resource<K>,
    report: Report<K, More> = () => ({}),
    /** What to call instead. */
    ways: readonly WayOut[] = [],
): ProviderFunction<Args, Result<K, More>> {
    const { parent, observation, outputs } = resource;
    const [ownId] = outputsWhere(outputs, ({ fromId }) => fromId);
    const required = argumentsOf<Args>(parent?.input, ownId);
    return {
        required,
        run: async (args, context) => {
            const projectId = projectOf(args, context);
            const id = required.map((name) => valueOf(args, name)).join("/");
            const path = pathOf(resource, projectId, id);
            const collection = collectionAt<K["Item"]>(resource, path, context.client);
            const item = await collection.get?.(id, context.options);
            const mismatch = resource.otherKind?.(item);
            if (mismatch !== undefined) {
                throw new FunctionError({ what: `Wrong id ${id}: ${mismatch}.`, ways });
            }
            return { projectId, ...observation.observe(item, path), ...report(item, path) } as Result<K, More>;
        },
    };
}

/** The arguments with these names, which the table of a resource contains as strings. */
function argumentsOf<Args>(...names: readonly (string | undefined)[]): (keyof Args & string)[] {
    return names.filter((name) => name !== undefined) as (keyof Args & string)[];
}

import * as pulumi from "@pulumi/pulumi";
import { valueOf } from "../../provider/inputs/fields";
import { untypedResources, type ResourceType } from "../../provider/resources/index";
import { promiseOf } from "./promise";

/** The resources of each program with a known id, by type and id. A process can run several programs. */
const programs = new WeakMap<pulumi.Resource, Map<string, pulumi.Resource>>();

const keyOf = (type: string, id: string): string => `${type} ${id}`;

/** Remembers a resource of the program as soon as its id is known. */
export function remember(type: ResourceType, resource: pulumi.CustomResource): void {
    const stack = pulumi.runtime.getStackResource();
    if (stack !== undefined) {
        const known = programs.get(stack) ?? new Map<string, pulumi.Resource>();
        programs.set(stack, known);
        // Pulumi itself reports the failure of a resource.
        promiseOf<string | undefined>(resource.id).then(
            (id) => id !== undefined && known.set(keyOf(type, id), resource),
            () => undefined,
        );
    }
}

/**
 * The resources of the program that inputs name by a plain id, as inside `apply`. Pulumi creates a dependency only for an
 * output, and would delete them first.
 */
export function namedByPlainId(type: ResourceType, args: object): pulumi.Resource[] {
    const stack = pulumi.runtime.getStackResource();
    const known = stack && programs.get(stack);
    const { parent, references = [] } = untypedResources[type];
    return [...(parent === undefined ? [] : [parent]), ...references].flatMap(({ input, kind }) => {
        const id = valueOf(args, input);
        return typeof id === "string" ? (known?.get(keyOf(kind.type, id)) ?? []) : [];
    });
}

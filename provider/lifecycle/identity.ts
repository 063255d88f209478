import { valueOf } from "../inputs/fields";
import type { Declared, Kind, Resource } from "./resource";

/** The full id of an adopted resource, whose `existingId` may omit parts that the other inputs contain. */
export function adoptedId<K extends Kind>({ identity }: Resource<K>, existingId: string, inputs: K["Inputs"]): string {
    return identity.adoptedId?.(existingId, inputs) ?? existingId;
}

/** The name of a resource in messages: by default, the one that the program declares. */
export function nameOf<K extends Kind>({ identity }: Resource<K>, inputs: Declared<K>): string | undefined {
    if (identity.nameOf !== undefined) {
        return identity.nameOf(inputs);
    }
    const name = valueOf(inputs, "name");
    return typeof name === "string" ? name : undefined;
}

import type { Authentication } from "../provider/api/accessToken";
import { deletionCommand } from "./deletionCommand";
import { entriesOf } from "../provider/inputs/fields";
import { untypedResources } from "../provider/resources/index";
import { nameOf } from "../provider/resources/projectResources";
import type { InventoryItem } from "./inventory";
import type { Declaration } from "./languages";

/**
 * The declaration that adopts a resource, or restores a last copy. It contains the required inputs, and a name that cannot be
 * changed in place.
 */
export function adoption(item: InventoryItem): Declaration {
    const { type, id, observed } = item;
    const declared = entriesOf(untypedResources[type].fields)
        .filter(([name, { required, onChange }]) => required || (onChange === "replace" && name === "name"))
        .map(([name]) => [name, observed[name]] as const)
        .filter(([, value]) => value !== undefined);
    return { type, name: nameOf({ observed, id }), inputs: { existingId: id, ...Object.fromEntries(declared) } };
}

/** The shell command that deletes a resource. The user copies and runs it. It does not contain the token. */
export function deleteLine({ path }: InventoryItem, authentication: Authentication): string {
    return deletionCommand(`$CLOUDDB_BASE_URL${path}`, authentication);
}

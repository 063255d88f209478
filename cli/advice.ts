import type { Authentication } from "../provider/api/accessToken";
import { deletionCommand } from "./deletionCommand";
import { entriesOf } from "../provider/inputs/fields";
import { printableJson } from "../provider/inputs/printable";
import { copiedBy, restoringLine } from "../provider/resources/service/lastCopy";
import type { LastCopyName } from "../provider/resources/service/lastCopyName";
import type { ServiceObserved } from "../provider/resources/service/observed";
import { untypedResources } from "../provider/resources/index";
import { nameOf } from "../provider/resources/projectResources";
import type { InventoryItem } from "./inventory";

/** What the name of a service says if it is the last copy of another one; undefined for any other resource. */
export function lastCopyIn({ type, observed }: InventoryItem): LastCopyName | undefined {
    return type === "Service" ? copiedBy(observed as unknown as ServiceObserved) : undefined;
}

/**
 * The line of a program that adopts a resource, or restores a last copy. It contains the required inputs, and a name that
 * cannot be changed in place.
 */
export function adoptLine(item: InventoryItem): string {
    const { type, id, observed } = item;
    const copied = lastCopyIn(item);
    if (copied !== undefined) {
        return printableJson(restoringLine(copied.name || id, id));
    }
    const declared = entriesOf(untypedResources[type].fields)
        .filter(([name, { required, onChange }]) => required || (onChange === "replace" && name === "name"))
        .map(([name]) => [name, observed[name]] as const)
        .filter(([, value]) => value !== undefined);
    const args = { existingId: id, ...Object.fromEntries(declared) };
    const text = Object.entries(args)
        .map(([name, value]) => `${name}: ${literal(value)}`)
        .join(", ");
    return `new clouddb.${type}(${literal(nameOf({ observed, id }))}, { ${text} });`;
}

/** A value in a program. */
const literal = (value: unknown): string => printableJson(JSON.stringify(value));

/** The shell command that deletes a resource. The user copies and runs it. It does not contain the token. */
export function deleteLine({ path }: InventoryItem, authentication: Authentication): string {
    return deletionCommand(`$CLOUDDB_BASE_URL${path}`, authentication);
}

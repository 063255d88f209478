import type { Authentication } from "../provider/api/accessToken";
import { deletionCommand } from "../provider/api/deletion";
import { entriesOf } from "../provider/inputs/fields";
import { printableJson } from "../provider/inputs/printable";
import { untypedLifecycles } from "../provider/resources/index";
import { nameOf } from "../provider/resources/listing";
import type { InventoryItem } from "./inventory";

/** The line of a program that adopts a resource. It contains the required inputs, and a name that cannot be changed in place. */
export function adoptLine({ type, id, observed }: InventoryItem): string {
    const declared = entriesOf(untypedLifecycles[type].resource.fields)
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

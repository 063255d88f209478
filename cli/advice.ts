import { deletionCommand } from "../provider/api/deletion";
import type { Credentials } from "../provider/api/settings";
import { entriesOf, type Fields } from "../provider/inputs/fields";
import { lifecycles } from "../provider/resources/index";
import type { Thing } from "./inventory";

/** The line for a program that takes a thing over: what has to be declared, and what cannot be changed in place. */
export function adoptLine({ type, id, seen }: Thing): string {
    const fields = lifecycles[type].resource.fields as Fields<Record<string, unknown>>;
    const declared = entriesOf(fields)
        .filter(([name, { required, effect }]) => required || (effect === "replace" && name === "name"))
        .map(([name]) => [name, seen[name]] as const)
        .filter(([, value]) => value !== undefined);
    const args = { existingId: id, ...Object.fromEntries(declared) };
    const text = Object.entries(args)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(", ");
    return `new clouddb.${type}(${JSON.stringify(nameOf(seen, id))}, { ${text} });`;
}

/** The command that deletes a thing; nothing runs it but the person who copies it, and the token is not in it. */
export function deleteLine({ path }: Thing, kind: Credentials["kind"]): string {
    return deletionCommand(`$CLOUDDB_BASE_URL${path}`, kind);
}

/** What people call it. */
export function nameOf(seen: Thing["seen"], id: string): string {
    return typeof seen.name === "string" ? seen.name : id.replace("/", "-");
}

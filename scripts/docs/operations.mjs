/** Generates the table of all operations of the API. */
import { banner, table } from "./sources.mjs";

export function operationsPage({ contract: { operations } }) {
    const rows = Object.entries(operations).map(([id, { method, path, summary }]) => [
        `\`${id}\``,
        `\`${method} ${path}\``,
        summary,
    ]);
    const text =
        `This table lists all ${rows.length} operations of the management API in [openapi.yaml](../provider/api/openapi.yaml). ` +
        "The client has a method for each operation, and the emulator implements each. The pages of the [resources](README.md) and [functions](lookups.md) name the operations that they use.";
    return `# Operations\n\n${banner}\n${text}\n\n${table([["operation", "request", "description"], ...rows])}\n`;
}

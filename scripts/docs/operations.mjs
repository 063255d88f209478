/** Generates the page of the operations. */
import { banner } from "./sources.mjs";

export function operationsPage({ contract: { operations } }) {
    const items = Object.entries(operations).map(([id, { method, path }]) => `- \`${id}\`: \`${method} ${path}\``);
    const text = `The ${items.length} operations of the management API. The emulator implements all of them.`;
    return `# Operations\n\n${banner}\n${text}\n\n${items.join("\n")}\n`;
}

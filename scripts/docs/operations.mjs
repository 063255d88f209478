/** Generates the page of the operations. */
import { banner } from "./sources.mjs";

export function operationsPage({ contract: { operations } }) {
    const entries = Object.entries(operations);
    const width = Math.max(...entries.map(([id]) => id.length));
    const lines = entries.map(([id, { method, path }]) => `${id.padEnd(width)}  ${method.padEnd(6)}  ${path}`);
    const text = `The ${entries.length} operations of the management API. The emulator implements all of them.`;
    return `# Operations\n\n${banner}\n${text}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`;
}

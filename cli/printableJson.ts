import { unsafe } from "../provider/base/message";

/** A JSON value whose control characters are escaped. */
export function printableJson(json: string): string {
    return json
        .replace(unsafe, (character) => (character === "\n" ? character : escaped(character)))
        .replace(/##/g, "#\\u0023");
}

function escaped(character: string): string {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

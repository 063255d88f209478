/**
 * Characters that control a terminal or the order of text: control characters (C0, C1), separators of lines, overrides
 * of the writing direction, and halves of a character.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;
/** White space of any kind between two words. */
const lineBreak = /[\t-\r\u0085\u2028\u2029]+/g;
/** The start of a command in the log of a pipeline: GitHub reads `::` at the start of a line, and `##[` in any place. */
const commandStart = /^(\s*:)(?=:)|(#)(?=#\w*\[)/g;

/**
 * The text as one line that controls neither a terminal nor the log of a pipeline. For text of the API in messages. The
 * outputs of resources and functions stay as they are.
 */
export function printable(text: string): string {
    return text.replace(lineBreak, " ").replace(unsafe, "?").replace(commandStart, "$& ");
}

/** A text of one line, or the lines of a text. */
export type Text = string | readonly string[];

/** The same JSON, in which such characters are escaped: it has the same value. */
export function printableJson(json: string): string {
    return json
        .replace(unsafe, (character) => (character === "\n" ? character : escaped(character)))
        .replace(/##/g, "#\\u0023");
}

function escaped(character: string): string {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Characters that control a terminal or the order of text: control characters (C0, C1), line separators, overrides of
 * the writing direction, and unpaired surrogates.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;
/** White space of any kind between two words. */
const lineBreak = /[\t-\r\u0085\u2028\u2029]+/g;
/** The start of a command in a pipeline log: GitHub reads `::` at the start of a line, and `##[` anywhere. */
const commandStart = /^(\s*:)(?=:)|(#)(?=#\w*\[)/g;

/** What a message contains in place of a secret. */
const mark = "[secret]";

/** Replaces secrets in a text, each one once: neither the mark nor the rest of a longer secret is searched again. */
export function redacted(text: string, secrets: Iterable<string>): string {
    const longestFirst = [mark, ...secrets].filter((one) => one !== "").sort((a, b) => b.length - a.length);
    return longestFirst.reduce((parts, secret) => parts.flatMap((part) => part.split(secret)), [text]).join(mark);
}

/**
 * The text as one line that controls neither a terminal nor a pipeline log. Used for all messages. The outputs of resources
 * and functions stay unchanged.
 */
export function printable(text: string): string {
    return text.replace(lineBreak, " ").replace(unsafe, "?").replace(commandStart, "$& ");
}

/** One line of text, or several. */
export type Text = string | readonly string[];

/** A JSON value whose control characters are escaped. */
export function printableJson(json: string): string {
    return json
        .replace(unsafe, (character) => (character === "\n" ? character : escaped(character)))
        .replace(/##/g, "#\\u0023");
}

function escaped(character: string): string {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

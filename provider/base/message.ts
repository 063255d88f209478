import { printable } from "./printable";

/** What to do about a problem. */
export interface WayOut {
    /** The case or the goal, for example `Renamed or moved`. */
    readonly label: string;
    /** The complete command or change, in one line. Commands are in backticks, and URNs in single quotes. */
    readonly text: string;
}

export const way = (label: string, text: string): WayOut => ({ label, text });

/** The parts of a message. `linesOf` is the only layout of them. */
export interface Message {
    /** What happened to which resource, by its name in the program, and why. */
    readonly what: string;
    /** The most likely one first. */
    readonly ways?: readonly WayOut[];
    /** The operation and its request. */
    readonly details?: string | undefined;
}

/**
 * The lines of a message: what happened, the ways out, then the details. The text of the API in a part begins no line, and
 * controls neither a terminal nor a log.
 */
export function linesOf(message: string | Message): readonly string[] {
    const { what, ways = [], details } = typeof message === "string" ? { what: message } : message;
    return [
        what,
        ...ways.map(({ label, text }) => `${label}: ${text}`),
        ...(details === undefined ? [] : [`Details: ${details}`]),
    ].map(printable);
}

/** A message as one text with several lines. */
export function format(message: string | Message): string {
    return linesOf(message).join("\n");
}

/** The parts of a message that another process has formatted. */
export function parsed(text: string): Message {
    const [what = "", ...lines] = text.split("\n");
    const ways = lines.map((line) => {
        const [label = "", ...rest] = line.split(": ");
        return { label, text: rest.join(": ") };
    });
    return { what, ways };
}

/** The end of a sentence, for a text of the API that may have one. */
export function sentence(text: string): string {
    return text.replace(/[\s.]*$/, ".");
}

/** What a value is, for a sentence. */
export function typeNameOf(value: unknown): string {
    if (value === undefined || value === null) {
        return value === null ? "null" : "empty";
    }
    return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

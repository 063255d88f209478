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
    /** The error that it explains. */
    readonly cause?: unknown;
}

/**
 * The lines of a message: what happened, the ways out, then the details. The text of the API in a part begins no line, and
 * controls neither a terminal nor a log.
 */
export function linesOf(message: string | Message): readonly string[] {
    const { what, ways = [], details } = typeof message === "string" ? { what: message } : message;
    return [
        what,
        ...forCmd(ways).map(({ label, text }) => `${label}: ${text}`),
        ...(details === undefined ? [] : [`Details: ${details}`]),
    ].map(printable);
}

/** Single quotes in commands are those of sh and of PowerShell. */
const inCmd = way("In cmd.exe", "use double quotes instead of single quotes");

/** The page of the emulator also formats messages, in a browser, which has no `process`. */
const isWindows = () => (globalThis as { process?: { platform: string } }).process?.platform === "win32";

/** On Windows, also says once how cmd.exe takes a command with single quotes. */
const forCmd = (ways: readonly WayOut[]): readonly WayOut[] =>
    isWindows() &&
    ways.some(({ text }) => text.split("`").some((part, index) => index % 2 === 1 && part.includes("'"))) &&
    ways.every(({ label }) => label !== inCmd.label)
        ? [...ways, inCmd]
        : ways;

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
export function withPeriod(text: string): string {
    return text.replace(/(?<![\s.])[\s.]*$/, ".");
}

/** What a value is, for a sentence. */
export function typeNameOf(value: unknown): string {
    if (value === undefined || value === null) {
        return value === null ? "null" : "empty";
    }
    return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Permanent lines under a resource. */
export interface Notice {
    readonly severity: "info" | "warn";
    readonly text: Text;
}

export const info = (text: Text): Notice => ({ severity: "info", text });
export const warning = (text: string): Notice => ({ severity: "warn", text });

/** The numbered lines of a plan, with a remark at the end. Empty for a plan without lines. */
export function planNotice(lines: readonly string[], remark?: string): readonly Notice[] {
    const numbered = lines.map((line, index) => `${index + 1} ${line}`);
    return lines.length === 0 ? [] : [info([...numbered, ...(remark === undefined ? [] : [remark])])];
}

/**
 * Characters that control a terminal or the order of text: control characters (C0, C1), line separators, overrides of
 * the writing direction, and unpaired surrogates.
 */
export const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;
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

/** The name that is closest to a misspelt one. Undefined if none is close. */
export function nearest(name: string, names: readonly string[]): string | undefined {
    const [first] = names
        .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
        .filter(({ distance }) => distance <= Math.max(2, name.length / 3))
        .sort((a, b) => a.distance - b.distance);
    return first?.candidate;
}

/** What is probably meant by a name that is none of these, as the end of a sentence. `all` is what they are. */
export function suggestion(name: string, names: readonly string[], all: string): string {
    const meant = nearest(name, names);
    return meant === undefined ? `${all} are ${names.join(", ")}` : `did you mean ${meant}?`;
}

function editDistance(left: string, right: string): number {
    let row = Array.from({ length: right.length + 1 }, (_, index) => index);
    for (const [i, letter] of Array.from(left).entries()) {
        const next = [i + 1];
        for (const [j, other] of Array.from(right).entries()) {
            const [above = 0, aboveLeft = 0, before = 0] = [row[j + 1], row[j], next[j]];
            next.push(Math.min(above + 1, before + 1, aboveLeft + (letter === other ? 0 : 1)));
        }
        row = next;
    }
    return row.at(-1) ?? 0;
}

/** The name of a resource in its program. */
export function logicalName(urn: string): string {
    const parts = urn.split("::");
    return parts.length > 3 ? parts.slice(3).join("::") : (parts.at(-1) ?? "");
}

/** A URN in a command. One of a child of a component contains a $, which a shell expands. */
export const shellQuoted = (urn = "URN"): string => `'${urn.replaceAll("'", "'\\''")}'`;

/** What prints the URNs of a stack. */
export const showsUrns = "`pulumi stack --show-urns`";

/** A resource in messages: `Service "orders" (s1)`, or `Service s1` if it has no name. */
export function subjectIn(kind: { readonly noun: string }, name: string | undefined, id?: string): string {
    const text = described(kind, name, id);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A resource within a sentence: `service "orders" (s1)`. */
export function described({ noun }: { readonly noun: string }, name: string | undefined, id?: string): string {
    const names = name === undefined ? [id] : [JSON.stringify(name), ...(id === undefined ? [] : [`(${id})`])];
    return `${noun} ${names.join(" ")}`;
}

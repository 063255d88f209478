import { redactBody } from "./redact";
import type { OperationId } from "./wire";

/** A request that the emulator has received. */
export interface JournalEntry {
    /** The time of the request in milliseconds since 1970 by the emulator's clock. */
    at: number;
    /** The HTTP method. */
    method: string;
    /** The path with the query, without the values of unknown parameters. */
    path: string;
    /** The operation. Undefined if the contract has no such operation. */
    operationId: OperationId | undefined;
    /** The HTTP status of the response. Undefined until there is a response. */
    status: number | undefined;
    /** The time from the request to its response, in milliseconds by the emulator's clock. */
    durationMs?: number;
    /** The request body, without secrets. Undefined if the caller was not accepted. A very long body is replaced by its length. */
    body: unknown;
    /** The response body, in the same form. Undefined until there is a response. */
    response?: unknown;
    /** The faults that have hit the request, in short form. Undefined if there are none. */
    faults?: readonly string[];
    /** The value of the header `X-Request-Id`, or a generated id. */
    requestId: string;
    /** The value of the header `User-Agent`. */
    userAgent: string | undefined;
}

/** The journal drops its oldest entries above these numbers, so that a long run does not exhaust the memory. */
const maxEntries = 100_000;
const maxCharacters = 50_000_000;
/** The part of the entries that is dropped at once. */
const droppedPart = 0.1;
/** Longer bodies are not kept. */
const maxBodyCharacters = 20_000;
/** Longer paths and headers are cut. */
const maxTextCharacters = 2_000;

/** A request in the journal. Its bodies are kept as text, and parsed and redacted only for a reader. */
export interface Recording extends Omit<JournalEntry, "body" | "response"> {
    /** Whether every value of the request body may be a secret. */
    takesSecret: boolean;
    sent?: string;
    received?: string;
}

/** The requests in the order of their arrival. */
export class Journal {
    private list: Recording[] = [];
    /** The number of the oldest entry. Numbers are never reused. */
    private firstNumber = 0;
    /** The length of all texts. */
    private characters = 0;

    add(recording: Recording): void {
        recording.path = recording.path.slice(0, maxTextCharacters);
        recording.requestId = recording.requestId.slice(0, maxTextCharacters);
        recording.userAgent = recording.userAgent?.slice(0, maxTextCharacters);
        this.list.push(recording);
        this.grow(lengthOf(recording));
    }

    /** Adds a body to a recording. If a body is too long, stores its length instead. */
    keep(recording: Recording, part: "sent" | "received", text: string): void {
        if (text === "") {
            return;
        }
        const kept = text.length > maxBodyCharacters ? JSON.stringify(`[${text.length} characters]`) : text;
        recording[part] = kept;
        this.grow(kept.length);
    }

    entries(): JournalEntry[] {
        return this.list.map(entryOf);
    }

    /** The entries with their numbers since the start. */
    *newestFirst(): Iterable<JournalEntry & { number: number }> {
        let number = this.firstNumber + this.list.length;
        for (const recording of [...this.list].reverse()) {
            yield Object.assign(entryOf(recording), { number: --number });
        }
    }

    clear(): void {
        this.firstNumber += this.list.length;
        this.list = [];
        this.characters = 0;
    }

    private grow(characters: number): void {
        this.characters += characters;
        while (this.list.length > maxEntries || (this.characters > maxCharacters && this.list.length > 1)) {
            const dropped = this.list.splice(0, Math.ceil(this.list.length * droppedPart));
            this.firstNumber += dropped.length;
            this.characters = this.list.reduce((sum, one) => sum + lengthOf(one), 0);
        }
    }
}

const lengthOf = ({ path, requestId, userAgent = "", sent = "", received = "" }: Recording): number =>
    path.length + requestId.length + userAgent.length + sent.length + received.length;

/** The name of the method with which Node.js prints an object. */
const printed = Symbol.for("nodejs.util.inspect.custom");

/** The bodies are parsed when they are read, but printed like other properties. */
function entryOf({ takesSecret, sent, received, ...rest }: Recording): JournalEntry {
    const entry: JournalEntry = {
        ...rest,
        get body() {
            return redactBody(sent, takesSecret);
        },
        get response() {
            return redactBody(received, false);
        },
    };
    return Object.defineProperty(entry, printed, { value: () => ({ ...entry }) });
}

import type { OperationId } from "./wire";

/** A request that the emulator has received. */
export interface JournalEntry {
    /** The time of the request in milliseconds since 1970 by the emulator's clock. */
    at: number;
    /** The HTTP method. */
    method: string;
    /** The path with the query. */
    path: string;
    /** The operation. Undefined if the contract has no such operation. */
    operationId: OperationId | undefined;
    /** The HTTP status of the response. Undefined until there is a response. */
    status: number | undefined;
    /** The request body, without secrets. */
    body: unknown;
    /** The value of the header `X-Request-Id`, or a generated id. */
    requestId: string;
    /** The value of the header `User-Agent`. */
    userAgent: string | undefined;
}

/** The journal drops its oldest entries above this number, so that a long run does not exhaust the memory. */
const maxEntries = 100_000;
const droppedAtOnce = 10_000;

/** The requests in the order of their arrival. */
export class Journal {
    private list: JournalEntry[] = [];
    /** The number of the oldest entry. Numbers are never reused. */
    private firstNumber = 0;

    /** Adds an entry. Its status may be set later. */
    add(entry: JournalEntry): void {
        if (this.list.length >= maxEntries) {
            this.list.splice(0, droppedAtOnce);
            this.firstNumber += droppedAtOnce;
        }
        this.list.push(entry);
    }

    entries(): JournalEntry[] {
        return this.list.map((entry) => ({ ...entry }));
    }

    /** The number of the oldest entry. */
    get begin(): number {
        return this.firstNumber;
    }

    /** The number of the next entry. */
    get end(): number {
        return this.firstNumber + this.list.length;
    }

    /** The entry with this number. Undefined if it was dropped. */
    entry(number: number): JournalEntry | undefined {
        return this.list[number - this.firstNumber];
    }

    clear(): void {
        this.firstNumber = this.end;
        this.list = [];
    }
}

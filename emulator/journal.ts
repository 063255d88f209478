import type { OperationId } from "./wire";

/** One request as the emulator saw it. */
export interface JournalEntry {
    /** When it came, in milliseconds since 1970 by the emulator's clock. */
    at: number;
    method: string;
    /** With the query. */
    path: string;
    /** Undefined when the contract has no such operation. */
    operationId: OperationId | undefined;
    /** Undefined while it is not answered. */
    status: number | undefined;
    /** The request's body, without secrets. */
    body: unknown;
    requestId: string;
    userAgent: string | undefined;
}

/** The oldest entries go when there are more: a long run shall not fill the memory. */
const MAX_ENTRIES = 100_000;
const DROPPED_AT_ONCE = 10_000;

/** The requests in the order in which they came. */
export class Journal {
    #entries: JournalEntry[] = [];
    /** The number of the oldest entry that is kept; numbers are never used again. */
    #begin = 0;

    /** Keeps the entry; its status may be filled in later. */
    add(entry: JournalEntry): void {
        if (this.#entries.length >= MAX_ENTRIES) {
            this.#entries.splice(0, DROPPED_AT_ONCE);
            this.#begin += DROPPED_AT_ONCE;
        }
        this.#entries.push(entry);
    }

    entries(): JournalEntry[] {
        return this.#entries.map((entry) => ({ ...entry }));
    }

    /** The number of the oldest entry that is kept. */
    get begin(): number {
        return this.#begin;
    }

    /** The number of the next entry. */
    get end(): number {
        return this.#begin + this.#entries.length;
    }

    /** The entry with this number; undefined where there is none any more. */
    entry(number: number): JournalEntry | undefined {
        return this.#entries[number - this.#begin];
    }

    clear(): void {
        this.#begin = this.end;
        this.#entries = [];
    }
}

/** A status and the time from which it was valid, in milliseconds since 1970. */
export interface DatedStatus {
    status: string;
    at: number;
}

/** A property that differs from what the program has set. */
export interface Difference {
    property: string;
    declared: unknown;
    now: unknown;
}

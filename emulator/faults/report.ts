/** An active fault. */
export interface FaultReport {
    /** The fault in short form. */
    fault: string;
    /** The number of calls that it has hit. */
    hits: number;
}

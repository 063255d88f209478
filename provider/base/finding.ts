/** The result of a validation, as texts that begin with the property. */
export interface Findings {
    readonly problems: readonly string[];
    readonly warnings: readonly string[];
}

/** Durations in the format of `customTimeouts`, for example `30m`. */
export interface Timeouts {
    readonly create?: string;
    readonly update?: string;
    readonly delete?: string;
}

/** A property whose change cannot be made in place. */
export interface Replacement {
    readonly property: string;
    readonly from: unknown;
    /** The new value. If it is unknown, the replacement is possible but not certain. */
    readonly to: unknown;
}

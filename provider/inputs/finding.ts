/** A problem or a warning about a property. */
export interface Finding {
    readonly property: string;
    readonly text: string;
}

/** The result of a validation. */
export interface Findings {
    readonly problems: readonly Finding[];
    readonly warnings: readonly Finding[];
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

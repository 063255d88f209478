/** A problem with a property, or advice about it. */
export interface Finding {
    readonly property: string;
    readonly text: string;
}

/** What a check found. */
export interface Findings {
    readonly problems: readonly Finding[];
    readonly warnings: readonly Finding[];
}

/** Times in the form of `customTimeouts`, for example `30m`. */
export interface Timeouts {
    readonly create?: string;
    readonly update?: string;
    readonly delete?: string;
}

/** A property whose change cannot be made in place. */
export interface Replacement {
    readonly property: string;
    readonly from: unknown;
    /** The new value; the unknown marker where a preview cannot know it, and the replacement is only possible. */
    readonly to: unknown;
}

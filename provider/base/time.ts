const rfc3339 = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Parses a time in the form of RFC 3339, to milliseconds since 1970. Undefined if the text is not one, or has a leap second.
 * Capitals, because the form also allows `t` and `z`, which not every parser reads.
 */
export function parseTime(text: string): number | undefined {
    const [capitals, day = ""] = rfc3339.exec(text.toUpperCase()) ?? [];
    const time = Date.parse(capitals ?? "");
    // Date takes February 30 for March 2.
    return Number.isNaN(time) || !new Date(day).toISOString().startsWith(day) ? undefined : time;
}

/** Formats a duration: `0.8 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
    const seconds = ms / 1000;
    if (seconds < 9.95) {
        return `${seconds.toFixed(1).replace(/\.0$/, "")} s`;
    }
    const whole = Math.round(seconds);
    if (whole < 60) {
        return `${whole} s`;
    }
    const [large, largeUnit, small, smallUnit] =
        whole < 3600
            ? [Math.floor(whole / 60), "min", whole % 60, "s"]
            : [Math.floor(whole / 3600), "h", Math.floor((whole % 3600) / 60), "min"];
    return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

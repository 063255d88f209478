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

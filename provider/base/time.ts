import { show, type Test } from "./fields";

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

/** A time in the form of RFC 3339. */
export const timeText: Test = (value) =>
    typeof value === "string" && parseTime(value) !== undefined
        ? undefined
        : 'is not a time; use RFC 3339, for example "2026-01-31T12:00:00Z"';

/** Formats a duration: `0.8 s`, `42 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
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
            : whole < 86_400
              ? [Math.floor(whole / 3600), "h", Math.floor((whole % 3600) / 60), "min"]
              : [Math.floor(whole / 86_400), "d", Math.floor((whole % 86_400) / 3600), "h"];
    return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Durations in the format of `customTimeouts`, for example `30m`. */
export interface Timeouts {
    readonly create?: string;
    readonly update?: string;
    readonly delete?: string;
    /** Only the plugin has it. */
    readonly read?: string;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses a duration of `customTimeouts`, for example `1h30m`, to milliseconds. Undefined if it is invalid. */
export function parseTimeout(value: string): number | undefined {
    const parts = [...value.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
    if (parts.length === 0 || parts.map(([part]) => part).join("") !== value) {
        return undefined;
    }
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ""] ?? 0), 0);
}

/** The problems of `customTimeouts`. */
export function checkTimeouts(timeouts: Timeouts | undefined): string[] {
    return Object.entries(timeouts ?? {})
        .filter(([, value]) => typeof value !== "string" || !parseTimeout(value))
        .map(
            ([name, value]) =>
                `customTimeouts.${name} ${show(value)} is not a duration; use for example "30m" or "1h30m"`,
        );
}

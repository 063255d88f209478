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

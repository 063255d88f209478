/** A column of a table: its heading, and the side that its cells stand on. */
export interface Column {
    readonly heading: string;
    readonly align: "left" | "right";
}

export const left = (heading: string): Column => ({ heading, align: "left" });
export const right = (heading: string): Column => ({ heading, align: "right" });

/** The lines of a table in plain text; an empty row is a line between groups. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
    const widths = columns.map(({ heading }, index) =>
        Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
    );
    const line = (cells: readonly string[]) =>
        cells
            .map((cell, index) => {
                const width = widths[index] ?? 0;
                return columns[index]?.align === "right" ? cell.padStart(width) : cell.padEnd(width);
            })
            .join("  ")
            .trimEnd();
    return [
        line(columns.map(({ heading }) => heading)),
        widths.map((width) => "-".repeat(width)).join("  "),
        ...rows.map((row) => (row.length === 0 ? "" : line(row))),
    ];
}

/** `0.46 s`, `17.6 s`, `3 min`. */
export function seconds(ms: number): string {
    const value = ms / 1_000;
    return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;
}

/** `5 s`, `30 min`, `2 h`: of lengths that are given and not measured. */
export function roundDuration(ms: number): string {
    const s = ms / 1_000;
    return s < 60 ? `${s} s` : s < 3_600 ? `${s / 60} min` : `${s / 3_600} h`;
}

/** `0.28`, `13.4`, `6,926`. */
export function count(value: number): string {
    const digits = value < 10 && !Number.isInteger(value) ? 2 : value < 100 && !Number.isInteger(value) ? 1 : 0;
    return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `141 MB`. */
export function megabytes(bytes: number): string {
    return `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** The widest line of the report. */
export const widestLine = 100;

/** Text in lines that are no longer than the widest one, broken between words. */
export function fold(text: string): string[] {
    const lines: string[] = [];
    for (const word of text.split(" ")) {
        const longer = `${lines.at(-1) ?? ""} ${word}`;
        if (lines.length > 0 && longer.length <= widestLine) {
            lines[lines.length - 1] = longer;
        } else {
            lines.push(word);
        }
    }
    return lines;
}

/** Columns as wide as their widest cell; the last one as it is. */
export function columns(rows) {
    const widths = rows.reduce(
        (known, row) => row.slice(0, -1).map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
        [],
    );
    return rows.map((row) =>
        row
            .map((cell, index) => cell.padEnd(widths[index] ?? 0))
            .join("  ")
            .trimEnd(),
    );
}

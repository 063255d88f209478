/** Pads each column to the width of its widest cell, except the last column. */
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

/** The name that is closest to a misspelt one. Undefined if none is close. */
export function nearest(name: string, names: readonly string[]): string | undefined {
    const [first] = names
        .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
        .filter(({ distance }) => distance <= Math.max(2, name.length / 3))
        .sort((a, b) => a.distance - b.distance);
    return first?.candidate;
}

function editDistance(left: string, right: string): number {
    let row = Array.from({ length: right.length + 1 }, (_, index) => index);
    for (const [i, letter] of Array.from(left).entries()) {
        const next = [i + 1];
        for (const [j, other] of Array.from(right).entries()) {
            const [above = 0, aboveLeft = 0, before = 0] = [row[j + 1], row[j], next[j]];
            next.push(Math.min(above + 1, before + 1, aboveLeft + (letter === other ? 0 : 1)));
        }
        row = next;
    }
    return row.at(-1) ?? 0;
}

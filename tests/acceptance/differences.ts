/** The differences between the API and its documentation, each with the number of its occurrences. */
export class Differences {
    private readonly counts = new Map<string, number>();

    add(text: string): void {
        this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
    }

    get all(): string[] {
        return [...this.counts.keys()].sort();
    }

    /** The text that the suite prints at its end. */
    report(baseUrl: string): string {
        const lines = this.all.map((text) => `  ${text} (${this.counts.get(text)} times)`.replace(" (1 times)", ""));
        return lines.length === 0
            ? `No difference between ${baseUrl} and the documented contract was observed.\n`
            : `${lines.length} differences between ${baseUrl} and the documented contract:\n${lines.join("\n")}\n`;
    }
}

import type { Experience } from "./schedule";

/** How long changes of each kind took in this process; it keeps two numbers a kind. */
export class History {
    private readonly kinds = new Map<string, Experience>();

    /** One of this kind was done after this time. */
    record(kind: string, tookMs: number): void {
        const known = this.kinds.get(kind) ?? { shortestMs: tookMs, longestMs: tookMs };
        this.kinds.set(kind, {
            shortestMs: Math.min(known.shortestMs, tookMs),
            longestMs: Math.max(known.longestMs, tookMs),
        });
    }

    /** What is known of this kind, if anything. */
    of(kind: string): Experience | undefined {
        return this.kinds.get(kind);
    }
}

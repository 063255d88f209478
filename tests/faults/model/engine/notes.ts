import type { Clock } from "../../../../provider/api/clock";
import type { Provider } from "../provider";
import type { Entry } from "./entry";

/** The tolerance for the duration of operations. A longer operation is a violation. */
const graceMs = 5_000;
/** The plugin ends its calls within this time after a cancellation, also a creation in flight. After ten seconds it exits. */
const cancelledMs = 9_000;
/** Without faults every operation of the emulator ends within seconds. */
const quietLimitMs = 180_000;

/** An operation with a time limit. */
interface Timed {
    readonly what: string;
    readonly limitMs: number;
}

/** What the runs of a stack have done, as far as the invariants need it. */
export class Notes<Key extends string> {
    /** The ids that the engine has asked the provider to delete. */
    readonly deletions = new Set<string>();
    /** The entries that the engine is asking the provider to delete. */
    readonly deleting = new Set<Entry<Key>>();
    /** The URNs of resources that the current run has created or tried to update. Two of them can have the same key. */
    readonly stored = new Set<string>();
    /** The places that the program of the current run protects, each with the provider that checked it: only that one knows. */
    readonly protecting = new Map<string, string>();
    /** Those of the deletions that were to be deleted before their replacement. */
    readonly deletedFirst = new Set<string>();
    /** Resources whose creation has an unknown result that no later run has resolved. */
    readonly inDoubt = new Set<Key>();
    /** Resources whose last operation did not succeed. */
    readonly unsettled = new Set<Key>();
    /**
     * Resources whose replacement was killed during the creation, and that were not created since. A later run without the
     * replacement compares the old resource and does not search for duplicates. The engine itself warns about the pending
     * operation.
     */
    readonly interruptedReplacements = new Set<Key>();
    /** Operations that took too long. */
    readonly slow: string[] = [];
    /** No faults occur, so each operation must be fast. */
    quiet = false;

    constructor(private readonly clock: Clock) {}

    /** Notes an operation that takes longer than its limit. */
    async timed<T>({ what, limitMs }: Timed, provider: Provider, work: () => Promise<T>): Promise<T> {
        const beganAt = this.clock.now();
        const most = (this.quiet ? Math.min(limitMs, quietLimitMs) : limitMs) + graceMs;
        try {
            return await work();
        } finally {
            const now = this.clock.now();
            if (!provider.isDead() && now - beganAt > most) {
                this.slow.push(`the ${what} took ${(now - beganAt) / 1000} s`);
            }
            const cancelledAt = provider.cancelledAt() ?? Infinity;
            if (!provider.isDead() && now - cancelledAt > cancelledMs) {
                this.slow.push(`the ${what} ended ${(now - cancelledAt) / 1000} s after the run was cancelled`);
            }
        }
    }
}

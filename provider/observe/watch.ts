import type { Clock, Deadline } from "../api/clock";
import type { SharedReads } from "../model/collection";
import { notFoundPollMs, pollIntervalAt } from "./schedule";

/** The last read of a watch begins at its deadline. It and its repetitions after failures have this long. */
export const lastReadMs = 1_000;

/** What is read again and again, and what ends that. */
interface Watch<T> extends Deadline {
    readonly lists: Pick<SharedReads, "clock" | "untilTick">;
    /** The pause before the first read: the last one is not long ago. None by default. */
    readonly firstPauseMs?: number;
    /** Whether the first read is a request for the item alone. The list then confirms its 404 at once: that is another answer. */
    readonly looksAlone?: boolean;
    /** Reads once; undefined if the response lacks what is watched. */
    readonly read: (alone: boolean) => Promise<T | undefined>;
    /** Whether what a read shows ends the watch, which it does by default. */
    readonly condition?: (found: T) => boolean;
    /** Decides when it is gone, by default after two reads. */
    readonly absence?: Absence;
    /** Called before each pause after a read. */
    readonly onPause?: (found: T | undefined) => void;
    /** The error at the deadline. */
    readonly timedOut: () => Error;
}

/**
 * Reads until the condition holds, and returns what that read shows; undefined once what is watched is gone. Each pause ends at a
 * tick of the common clock, or at the deadline, when the last read begins.
 */
export async function watch<T>(watched: Watch<T>): Promise<T | undefined> {
    const {
        lists,
        deadlineAt,
        signal,
        firstPauseMs = 0,
        looksAlone = false,
        read,
        condition,
        onPause,
        timedOut,
    } = watched;
    const { clock } = lists;
    const { absence = new Absence(clock) } = watched;
    const beganAt = clock.now();
    const pause = async (ms: number) => {
        const leftMs = Math.max(deadlineAt - clock.now(), 0);
        await clock.sleep(Math.min(ms, leftMs), signal);
    };
    if (firstPauseMs > 0) {
        await pause(firstPauseMs);
    }
    for (let alone = looksAlone; ; alone = false) {
        const found = await read(alone);
        const isGone = absence.isGone(found);
        if (found === undefined ? isGone : (condition?.(found) ?? true)) {
            return found;
        }
        if (clock.now() >= deadlineAt) {
            throw timedOut();
        }
        if (!alone || found !== undefined) {
            onPause?.(found);
            const intervalMs = found === undefined ? notFoundPollMs : pollIntervalAt(clock.now() - beganAt);
            await pause(lists.untilTick(intervalMs));
        }
    }
}

/**
 * Decides when something is gone. One response without it is not proof: it can be an error of the API. So two responses must lack it,
 * one of them the list. That is enough for what this run has asked to delete, and for what is only looked up. Everything else must also
 * be missing for a time.
 */
export class Absence {
    private missingSince: number | undefined;
    private misses = 0;

    constructor(
        private readonly clock: Clock,
        /** It must also be missing for this time. */
        private readonly goneMs = 0,
        /** Until a response has it, it may be new: it must be missing for this time, if that is longer. */
        private newMs = 0,
    ) {}

    /** How long responses without it leave a doubt. */
    get doubtMs(): number {
        return Math.max(this.goneMs, this.newMs);
    }

    /** Whether it may be new, so that reads may not show it yet. */
    get mayBeNew(): boolean {
        return this.missingMs < this.newMs;
    }

    /** Whether the next read must use the list, which confirms or refutes a 404 for the resource itself. */
    get needsList(): boolean {
        return this.misses % 2 === 1;
    }

    /** Records what a response shows, undefined if it lacks what is looked for. Returns whether that is gone. */
    isGone(found: unknown): boolean {
        if (found !== undefined) {
            this.newMs = 0;
            this.missingSince = undefined;
            this.misses = 0;
            return false;
        }
        this.missingSince ??= this.clock.now();
        this.misses += 1;
        return this.misses > 1 && this.missingMs >= this.doubtMs;
    }

    private get missingMs(): number {
        return this.missingSince === undefined ? 0 : this.clock.now() - this.missingSince;
    }
}

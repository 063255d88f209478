import { performance } from "node:perf_hooks";
import { setTimeout as sleepFor } from "node:timers/promises";
import { randomBytes, randomUUID } from "node:crypto";

/** The source of time, which tests replace. */
export interface Clock {
    /** Milliseconds since the epoch, from a monotonic clock that stops while the computer sleeps. */
    now(): number;
    /** Resolves after the given time. Rejects with the signal's reason when the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /**
     * Calls back after the given time, which may be infinite, unless the returned function is called first. Limits work
     * that continues in the meantime.
     */
    after(ms: number, callback: () => void): () => void;
}

/** 24 days. Node fires a timer with a longer delay immediately. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
    // The system clock may be changed during a wait.
    now: () => performance.timeOrigin + performance.now(),
    async sleep(ms, signal) {
        // Node.js rejects with an error of its own, and only after an abort.
        const ended = sleepFor(Math.min(ms, maxTimerMs), undefined, signal ? { signal } : {});
        await ended.catch(() => signal?.throwIfAborted());
    },
    after(ms, callback) {
        const timer = setTimeout(callback, Math.min(ms, maxTimerMs));
        return () => clearTimeout(timer);
    },
};

/** What ends an operation and everything that it does. */
export interface Deadline {
    /** When it times out, on the clock of the client. It may be infinite. */
    readonly deadlineAt: number;
    /** Aborted when it is cancelled. */
    readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work until the deadline, or until it is cancelled, even if the work cannot be aborted. It receives a signal that
 * is aborted then. Fails with the error for a timeout, or with the reason of the cancellation, which takes effect after
 * `cancelMs`, at the latest at the deadline.
 */
export async function untilDeadline<T>(
    { deadlineAt, signal }: Deadline,
    clock: Clock,
    timedOut: () => Error,
    work: (signal: AbortSignal) => Promise<T>,
    cancelMs = 0,
): Promise<T> {
    signal?.throwIfAborted();
    const leftMs = deadlineAt - clock.now();
    if (leftMs <= 0) {
        throw timedOut();
    }
    const controller = new AbortController();
    const ended = new Promise<never>((_, reject) => {
        controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error));
    });
    let stop = clock.after(leftMs, () => controller.abort(timedOut()));
    const cancel = () => {
        stop();
        const graceMs = Math.min(cancelMs, deadlineAt - clock.now());
        if (graceMs <= 0) {
            controller.abort(signal?.reason);
        } else {
            stop = clock.after(graceMs, () => controller.abort(signal?.reason));
        }
    };
    signal?.addEventListener("abort", cancel);
    try {
        return await Promise.race([ended, work(controller.signal)]);
    } finally {
        stop();
        signal?.removeEventListener("abort", cancel);
    }
}

/** A period on the clock of the API, in milliseconds since the epoch. */
interface Period {
    readonly from: number;
    readonly until: number;
}

/** A Date header has whole seconds, and so may a timestamp of the API. */
const resolutionMs = 1_000;

/** The clock of the API, from the Date header of the last response. It may differ from ours. */
export class ServerClock {
    private last: { readonly date: number; readonly sentAt: number; readonly receivedAt: number } | undefined;

    constructor(readonly ours: Clock) {}

    /** Records the Date header of a new response. `sentAt` is the time of its request on our clock. */
    synchronize(date: unknown, sentAt: number): void {
        const time = typeof date === "string" ? Date.parse(date) : NaN;
        if (!Number.isNaN(time)) {
            this.last = { date: time, sentAt, receivedAt: this.ours.now() };
        }
    }

    /** The longest possible period on the clock of the API since a request was sent. Undefined before a response with a Date header. */
    since(sentAt: number): Period | undefined {
        if (this.last === undefined) {
            return undefined;
        }
        // `last` is the last response with a Date header, to any request. The API wrote it between `lastSentAt` and `receivedAt`. So its
        // clock is ahead of ours by at least `date - receivedAt`, and at most `date - lastSentAt`.
        const { date, sentAt: lastSentAt, receivedAt } = this.last;
        const earliest = date + sentAt - receivedAt;
        // The header has no fraction of a second.
        const latest = date + resolutionMs + this.ours.now() - lastSentAt;
        // A timestamp that is compared with the period may have none either.
        return { from: Math.floor(earliest / resolutionMs) * resolutionMs, until: latest };
    }

    /** The approximate time on the clock of the API. Without a Date header, the time on ours. */
    now(): number {
        const now = this.ours.now();
        return this.last === undefined ? now : this.last.date + now - this.last.receivedAt;
    }
}

/** A number from 0 (inclusive) to 1 (exclusive). Tests replace it. */
export const systemRandom = (): number => Math.random();

/** A unique id, for example for a request. */
export const uniqueId = (): string => randomUUID();

/** A secret with this number of random bytes. It uses only characters that need no encoding in a URL. */
export const newSecret = (bytes: number): string => randomBytes(bytes).toString("base64url");

import type { Clock } from "./clock";

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
 * `cancelMs`.
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
        if (cancelMs === 0) {
            controller.abort(signal?.reason);
        } else {
            stop = clock.after(cancelMs, () => controller.abort(signal?.reason));
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

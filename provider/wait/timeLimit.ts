import type { Clock } from "../api/clock";

/** The limits of work: its deadline, and the signal that aborts it. */
export interface TimeLimit {
    readonly deadlineAt: number;
    readonly signal?: AbortSignal | undefined;
}

/** Resolves with the result of the work, unless it is aborted or its deadline passes before. */
export async function withTimeLimit<T>(
    work: Promise<T>,
    { deadlineAt, signal }: TimeLimit,
    clock: Clock,
    timeout: () => Error,
): Promise<T> {
    let release = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
        const onAbort = () => reject(signal?.reason as Error);
        const cancel = clock.after(Math.max(deadlineAt - clock.now(), 0), () => reject(timeout()));
        release = () => {
            cancel();
            signal?.removeEventListener("abort", onAbort);
        };
        signal?.addEventListener("abort", onAbort);
        if (signal?.aborted) {
            onAbort();
        }
    });
    try {
        return await Promise.race([work, ended]);
    } finally {
        release();
    }
}

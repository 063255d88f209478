import type { Clock } from "../api/clock";
import type { Source } from "./listing";
import type { Poller, Watcher } from "./poller";

/** The context that all waits and reads of a process share. */
export interface WaitContext {
    readonly clock: Clock;
    readonly random: () => number;
    readonly poller: Poller;
}

/** A watcher that ends at the latest when its time is over. */
export interface EndingWatcher<T> extends Watcher<T> {
    timeOut(): void;
}

/** Ends a watcher. It receives no more results. */
export type End<Result> = (settle: (resolve: (result: Result) => void, reject: (error: Error) => void) => void) => void;

/** Watches a source until the watcher ends, and resolves with its result. */
export function watchUntil<T, Result>(
    source: Source<T>,
    { endsAt, signal }: { readonly endsAt: number; readonly signal?: AbortSignal | undefined },
    { clock, poller }: WaitContext,
    create: (end: End<Result>) => EndingWatcher<T>,
): Promise<Result> {
    return new Promise((resolve, reject) => {
        const end: End<Result> = (settle) => {
            poller.leave(source, watcher);
            cancel();
            signal?.removeEventListener("abort", onAbort);
            settle(resolve, reject);
        };
        const onAbort = () => end((_, fail) => fail(signal?.reason as Error));
        const watcher = create(end);
        const cancel = clock.after(Math.max(endsAt - clock.now(), 0), () => watcher.timeOut());
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) {
            onAbort();
        } else {
            poller.watch(source, watcher);
        }
    });
}

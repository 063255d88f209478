import { untilDeadline } from "../api/clock";
import type { Context, Locks } from "../model/context";
import { pending, type Outcome } from "../model/outcome";
import type { Target } from "../model/resource";
import { WaitTimeoutError } from "../observe/wait";

/** What a change locks. */
export interface Locked {
    /** The id of the resource that accepts one change at a time. */
    readonly id: string;
    /** A change of the resource itself holds the lock until its effect is visible, a change of its child until the response. */
    readonly until: "response" | "effect";
}

const status = "waiting for another change of the service";

/** The lock of a change, which it may release and acquire again. Does nothing if the change needs none. */
export class Lock {
    private releaseHeld: (() => void) | undefined;

    constructor(
        private readonly locked: Locked | undefined,
        private readonly holder: Pick<Target, "subject" | "context" | "activity">,
    ) {}

    /** Waits for the lock, unless it is held. Times out at the deadline of the operation. */
    async acquire(): Promise<void> {
        if (this.locked !== undefined) {
            const { locks } = this.holder.context;
            this.releaseHeld ??= await locks.acquire(this.locked.id, (free) => this.inQueue(free));
        }
    }

    /** The API has accepted the request. */
    accepted(): void {
        if (this.locked?.until === "response") {
            this.release();
        }
    }

    release(): void {
        this.releaseHeld?.();
        this.releaseHeld = undefined;
    }

    private async inQueue(free: Promise<unknown>): Promise<void> {
        const { subject, activity, context } = this.holder;
        const { clock } = context;
        const beganAt = clock.now();
        const timedOut = () => {
            const waitedMs = clock.now() - beganAt;
            return new WaitTimeoutError(subject, status, waitedMs, waitedMs, context.timeoutSetting);
        };
        context.status(activity(status));
        await untilDeadline(context, clock, timedOut, () => free);
        context.status(activity());
    }
}

/** A failed outcome is pending while this program changes the resource: the change may remove the cause. */
export function unlessChanging(outcome: Outcome, id: string, context: Context): Outcome {
    return outcome.phase === "failed" && context.locks.isBusy(id) ? pending(outcome.status, outcome.reason) : outcome;
}

/** Locks by key. Callers that want the same lock get it in order of arrival. */
export class KeyedMutex implements Locks {
    private readonly last = new Map<string, Promise<unknown>>();

    isBusy(key: string): boolean {
        return this.last.has(key);
    }

    async acquire(
        key: string,
        waitForLock: (acquired: Promise<unknown>) => Promise<unknown> = (acquired) => acquired,
    ): Promise<() => void> {
        const before = this.last.get(key);
        let release: () => void = () => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        // The next caller waits for all earlier ones, even if this one gives up.
        const all = Promise.all([before, released]).then(() => {
            if (this.last.get(key) === all) {
                this.last.delete(key);
            }
        });
        this.last.set(key, all);
        try {
            await (before && waitForLock(before));
        } catch (error) {
            release();
            throw error;
        }
        return release;
    }
}

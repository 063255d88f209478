import { untilDeadline } from "../api/deadline";
import type { Kind, Operation } from "../lifecycle/resource";
import { WaitTimeoutError } from "../wait/errors";

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
        private readonly holder: Pick<Operation<Kind>, "subject" | "context" | "activity">,
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

/** Locks by key. Callers that want the same lock get it in order of arrival. */
export class KeyedMutex {
    private readonly last = new Map<string, Promise<unknown>>();

    /** Whether a caller holds this lock or waits for it. */
    isBusy(key: string): boolean {
        return this.last.has(key);
    }

    /** Resolves with the function that releases the lock. `waitForLock` waits for it, and may give up. */
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

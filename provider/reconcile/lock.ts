import { untilDeadline } from "../api/clock";
import type { Context } from "../model/context";
import { pending, type Outcome } from "../model/outcome";
import type { Target } from "../model/resource";
import { WaitTimeoutError } from "../observe/waitErrors";

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

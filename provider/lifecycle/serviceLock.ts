import { untilDeadline } from "../api/deadline";
import { WaitTimeoutError } from "../wait/errors";
import type { Operation } from "./operation";

const status = "waiting for another change of the service";

/** The lock of an operation, which the operation may release and acquire again. Does nothing if it needs no lock. */
export class ServiceLock {
    private releaseHeld: () => void = () => undefined;

    constructor(private readonly operation: Operation) {}

    /** Waits for the lock, and times out at the deadline of the operation. */
    async acquire(): Promise<void> {
        const { lock, context } = this.operation;
        if (lock !== undefined) {
            this.releaseHeld = await context.locks.acquire(lock.serviceId, (free) => this.inQueue(free));
        }
    }

    release(): void {
        this.releaseHeld();
    }

    private async inQueue(free: Promise<unknown>): Promise<void> {
        const { subject, activity, context } = this.operation;
        const { clock } = context.wait;
        const beganAt = clock.now();
        const timedOut = () => {
            const waitedMs = clock.now() - beganAt;
            return new WaitTimeoutError(subject, status, waitedMs, waitedMs, context.timeoutSetting);
        };
        context.status(activity.line(status));
        await untilDeadline(context, clock, timedOut, () => free);
        context.status(activity.line());
    }
}

import { WaitTimeoutError } from "../wait/errors";
import { withTimeLimit } from "../wait/timeLimit";
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
        context.status(activity.line(status));
        const beganAt = context.wait.clock.now();
        await withTimeLimit(free, context, context.wait.clock, () => {
            const waitedMs = context.wait.clock.now() - beganAt;
            return new WaitTimeoutError(subject, status, waitedMs, waitedMs, context.timeoutSetting);
        });
        context.status(activity.line());
    }
}

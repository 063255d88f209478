import { untilDeadline } from "../api/deadline";
import { WaitTimeoutError } from "../wait/errors";
import type { Lock } from "./operation";
import type { Kind, Operation } from "./resource";

const status = "waiting for another change of the service";

/** The lock of a service, which its holder may release and acquire again. Does nothing if there is no lock. */
export class ServiceLock {
    private releaseHeld: (() => void) | undefined;

    constructor(
        private readonly lock: Lock | undefined,
        private readonly holder: Pick<Operation<Kind>, "subject" | "context" | "activity">,
    ) {}

    /** Waits for the lock, unless it is held. Times out at the deadline of the operation. */
    async acquire(): Promise<void> {
        if (this.lock !== undefined) {
            const { locks } = this.holder.context;
            this.releaseHeld ??= await locks.acquire(this.lock.serviceId, (free) => this.inQueue(free));
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

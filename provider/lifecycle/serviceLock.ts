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
        const { activity, context } = this.operation;
        context.status(activity.line(status));
        const limit = timeLimit(this.operation);
        try {
            await Promise.race([free, limit.passed]);
            context.status(activity.line());
        } finally {
            limit.cancel();
        }
    }
}

/** A promise that rejects at the deadline of the operation, or when the operation is aborted. */
function timeLimit({ subject, context }: Operation) {
    const { deadlineAt, signal, timeoutSetting } = context;
    const { clock } = context.wait;
    const beganAt = clock.now();
    let cancel: () => void = () => undefined;
    const passed = new Promise<never>((_, reject) => {
        const onAbort = () => reject(signal?.reason as Error);
        const stop = clock.after(Math.max(deadlineAt - beganAt, 0), () => {
            const waitedMs = clock.now() - beganAt;
            reject(new WaitTimeoutError(subject, status, waitedMs, waitedMs, timeoutSetting));
        });
        cancel = () => {
            stop();
            signal?.removeEventListener("abort", onAbort);
        };
        signal?.addEventListener("abort", onAbort);
        if (signal?.aborted) {
            onAbort();
        }
    });
    return { passed, cancel };
}

import type { CallOptions } from "../api/client";
import { isConflict, isUncertain } from "../api/errors";
import { WaitTimeoutError } from "../wait/errors";
import { nextLook } from "../wait/schedule";
import { reporter, retryReporter, type Activity } from "./activity";
import type { Run } from "./run";

/** Failures after which something may be sent again that does no harm when it is carried out twice. */
export function mayPass(error: unknown): boolean {
    return isConflict(error) || isUncertain(error);
}

/**
 * Sends something that the service may refuse for a while, because the thing is busy or something else has to go first,
 * until it is accepted or time runs out. Sent again is only after failures of which that is true.
 */
export async function insist<Answer>(
    send: () => Promise<Answer>,
    subject: string,
    run: Run,
    activity: Activity,
    again: (error: unknown) => boolean = isConflict,
): Promise<Answer> {
    const { clock, random } = run.wait;
    const beganAt = clock.now();
    const report = reporter(run, activity);
    for (;;) {
        try {
            return await send();
        } catch (error) {
            if (!again(error)) {
                throw error;
            }
            const elapsed = clock.now() - beganAt;
            const left = run.deadlineAt - clock.now();
            if (left <= 0) {
                throw new WaitTimeoutError(subject, refusal(error), elapsed, elapsed, run.timeoutSetting);
            }
            report({ status: refusal(error), elapsedMs: elapsed, deadlineAt: run.deadlineAt });
            await clock.sleep(Math.min(nextLook(elapsed, random), left), run.signal);
        }
    }
}

/** Does the work when no other change to the service is under way, or gives up when time has run out before. */
export function inTurn<T>(
    serviceId: string,
    work: () => Promise<T>,
    subject: string,
    run: Run,
    activity: Activity,
): Promise<T> {
    const { clock } = run.wait;
    const status = "waiting for another change to the service";
    return run.queue.inTurn(serviceId, work, async (turn) => {
        const beganAt = clock.now();
        run.say(activity.line(status));
        const over = new AbortController();
        const signal = run.signal ? AbortSignal.any([run.signal, over.signal]) : over.signal;
        const timeIsUp = clock.sleep(Math.max(run.deadlineAt - beganAt, 0), signal).then(() => {
            const elapsed = clock.now() - beganAt;
            throw new WaitTimeoutError(subject, status, elapsed, elapsed, run.timeoutSetting);
        });
        try {
            await Promise.race([turn, timeIsUp]);
        } finally {
            over.abort();
            timeIsUp.catch(() => undefined);
        }
    });
}

function refusal(error: unknown): string {
    if (!isConflict(error)) {
        return "no usable answer";
    }
    const said = (error as { serviceMessage?: string }).serviceMessage;
    return said ? `refused (${said.replace(/\.$/, "")})` : "refused, busy";
}

/** Failures that pass are tried again for as long as the resource has time, and its row says so. */
export function patience(run: Run): CallOptions & { patienceMs: number } {
    const patienceMs = Math.max(run.deadlineAt - run.wait.clock.now(), 0);
    return { patienceMs, signal: run.signal, onRetry: retryReporter(run) };
}

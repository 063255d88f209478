import { ApiError, DeadlineError, partsOf, CloudDbError } from "../api/callErrors";
import { withPeriod, way, type Message, type WayOut } from "../base/message";
import { formatDuration } from "../base/time";
import type { SharedReads, Collection } from "../model/collection";
import type { Context } from "../model/context";
import type { Outcome } from "../model/outcome";
import type { Progress } from "./progress";
import { fewWaits, firstLookMs, shortestPollMs } from "./schedule";
import { lastReadMs, watch, type Absence } from "./watch";

/** The parameters of a wait. */
export interface Wait<T> extends Pick<Context, "deadlineAt" | "timeoutSetting" | "signal"> {
    readonly subject: string;
    readonly id: string;
    readonly collection: Collection<T>;
    /** Called with each item that a read returns, even if that ends a wait. */
    readonly onSeen?: ((item: T) => void) | undefined;
    /** Whether the deletion of the resource also ends the wait successfully, or fails it. */
    readonly until: "ready" | "gone";
    /** Decides when it is gone. */
    readonly absence: Absence;
    /** Evaluates a poll, and may end the wait with an error of its own. */
    readonly evaluate: (item: T) => Outcome;
    /** Called after each poll that does not end the wait. */
    readonly onPoll?: ((progress: Progress) => void) | undefined;
}

/**
 * Waits until the item is ready, or gone. Resolves with the item when it is ready, or with undefined when it is gone. Fails if it is
 * gone, unless that ends the wait.
 */
export async function waitFor<T>(wait: Wait<T>, lists: SharedReads): Promise<T | undefined> {
    lists.waits.add(wait);
    return waitAmong(wait, lists).finally(() => lists.waits.delete(wait));
}

async function waitAmong<T>(wait: Wait<T>, lists: SharedReads): Promise<T | undefined> {
    const { subject, id, collection, until, absence, evaluate, deadlineAt, timeoutSetting, signal, onSeen, onPoll } =
        wait;
    const { clock } = lists;
    const beganAt = clock.now();
    let [status, statusSince] = [until === "gone" ? "deleting" : "not visible yet", beganAt];
    /** Why the last poll did not end the wait, or how its read failed. */
    let last: Pick<Progress, "detail" | "failure"> = { detail: "the API has not responded" };
    const report = (shown = last) => onPoll?.({ status, ...shown, elapsedMs: clock.now() - beganAt });
    const timeout = (): CloudDbError => {
        const { detail, failure } = last;
        const [inStatusMs, waitedMs] = [clock.now() - statusSince, clock.now() - beganAt];
        const reason = failure === undefined ? { ...(detail !== undefined && { what: detail }) } : partsOf(failure);
        return waitTimeout(subject, status, inStatusMs, waitedMs, timeoutSetting, reason);
    };
    /** Reads the item. A failure is repeated as long as there is time. */
    const poll = async (alone: boolean): Promise<T | undefined> => {
        try {
            const item = await lists.find(collection, id, {
                deadlineAt: deadlineAt + lastReadMs,
                signal,
                needsList: absence.needsList,
                alone,
                onRetry: ({ failure }) => report((last = { failure })),
                onSlow: (waitsFor) => report({ detail: `waiting for ${waitsFor}` }),
            });
            last = { detail: item === undefined && until === "ready" ? "not found" : undefined };
            if (item !== undefined) {
                onSeen?.(item);
            }
            return item;
        } catch (error) {
            const leftMs = deadlineAt - clock.now();
            if (error instanceof DeadlineError && leftMs > 0) {
                // The pause before the next attempt would pass the deadline. One more poll begins at the deadline.
                await clock.sleep(leftMs, signal);
                return poll(alone);
            }
            if (error instanceof DeadlineError) {
                throw timeout();
            }
            // The API may reject reads of a resource that was just created, with any status.
            if (absence.mayBeNew && error instanceof ApiError && error.failureClass !== "unauthorized") {
                last = { failure: error };
                return undefined;
            }
            throw error;
        }
    };
    const isReady = (item: T): boolean => {
        const outcome = evaluate(item);
        if (outcome.phase === "failed") {
            const { status: ended, reason, ways = [] } = outcome;
            throw new CloudDbError({ what: withPeriod(`${subject} failed (${ended}): ${reason}`), ways });
        }
        if (outcome.phase === "pending") {
            statusSince = outcome.status === status ? statusSince : clock.now();
            ({ status } = outcome);
            last = { detail: outcome.detail };
        }
        return outcome.phase === "ready";
    };
    const isSoon = lists.waits.size <= fewWaits;
    const item = await watch({
        lists,
        deadlineAt,
        signal,
        absence,
        firstPauseMs: isSoon ? lists.untilTick(firstLookMs, firstLookMs / 2) : lists.untilTick(shortestPollMs),
        looksAlone: isSoon && until === "gone" && collection.get !== undefined,
        read: poll,
        condition: isReady,
        onPause: () => report(),
        timedOut: timeout,
    });
    if (item === undefined && until === "ready") {
        throw gone(subject);
    }
    return item;
}

/** A wait timed out. The operation continues on the server and is not rolled back. */
export function waitTimeout(
    subject: string,
    lastStatus: string,
    inStatusMs: number,
    waitedMs: number,
    /** The setting for the time limit. */
    setting: string,
    /** The detail or the error of the last poll. */
    { what: detail, details }: Partial<Message> = {},
): CloudDbError {
    const last = detail === undefined ? "" : ` (last poll: ${detail.replace(/\.$/, "")})`;
    const waited = `timed out after ${formatDuration(waitedMs)}: ${lastStatus} for ${formatDuration(inStatusMs)}`;
    return new CloudDbError({ what: `${subject} ${waited}${last}.`, ways: resuming(setting), details });
}

/** The resource disappeared during a wait. */
export function gone(subject: string): CloudDbError {
    const what = `${subject} no longer exists: it was deleted outside of this program, or its creation failed.`;
    return new CloudDbError({ what, ways: [createsAgain] });
}

/** After a deletion outside of the program. */
export const createsAgain = way("Create it again", "`pulumi up --refresh`");

/** The ways out of a time limit. Nothing is rolled back. */
export const resuming = (setting: string): readonly WayOut[] => [
    way("Resume", "repeat the command; nothing was rolled back"),
    way("More time", `increase ${setting}`),
];

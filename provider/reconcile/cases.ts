import { removeTheCause } from "../api/callAdvice";
import {
    apiMessageIn,
    isNotFound,
    isFromElsewhere,
    isServerError,
    isUnknownOperation,
    partsOf,
    CloudDbError,
    type CallError,
} from "../api/callErrors";
import { reactionTo } from "../api/retry";
import { longestListLagMs } from "../api/settings";
import { withPeriod, way, type WayOut } from "../base/message";
import { formatDuration } from "../base/time";
import type { Progress } from "../observe/progress";

/** What the reaction to the failure of a request depends on. */
export interface RetryPolicy {
    /** What the request changes. Absent for a creation that no other resource has to accept. */
    readonly locks?: LockScope | undefined;
    /** Whether it creates in another resource, which may be busy. Otherwise, a rejection of a request that locks nothing is final. */
    readonly hasParent?: boolean;
    /** Whether it updates a resource: a platform rejects that while it maintains the resource. */
    readonly isUpdate?: boolean;
    /** Whether it refers to a resource that this run has created, which not every server of the API may know yet. */
    readonly refersToNew?: boolean;
    /** What the user can do if the API does not have the operation. Absent if every version of the API has it. */
    readonly ifUnsupported?: string | undefined;
}

/** A read shows that the API should accept the request. */
export interface Accepting {
    readonly verdict: "send";
    /** Whether the resource or its parent was busy, and is no longer: that explains the last rejection. */
    readonly hasWaited?: boolean;
    /** Why the API may still reject the request for a long time, although no read shows whether it does. */
    readonly reason?: string | undefined;
}

/** A read shows that the API would reject the request. */
export interface Rejecting {
    readonly verdict: "rejecting";
    readonly reason: string;
    readonly ways: readonly WayOut[];
    /** Whether the obstacle disappears by itself. */
    readonly isTransient: boolean;
}

/** The last failure of a request, what was observed last, and the pauses since the present case began. */
export interface FailedAttempt {
    readonly request: RetryPolicy;
    readonly failure: CallError;
    readonly observation: Accepting | Rejecting;
    /** The pause that the API asks for. 0 once it is over. */
    readonly requestedMs: number;
    readonly rule: Rule;
    /** The number of pauses. */
    readonly count: number;
    /** The sum of these pauses, without what only `Retry-After` has asked for, and without the time in the queue for the lock. */
    readonly pausedMs: number;
}

/** What happens in one case, from a failed request to the next one. */
interface Rule {
    /** The pause, after this number of earlier ones in the same case: before the next poll, or the next request. */
    readonly pause: "poll" | ((earlier: number) => number);
    /** What the status row and a timeout show. */
    readonly shows: (attempt: FailedAttempt) => Pick<Progress, "status" | "failure">;
    /** How the request fails after pauses of this duration and a last attempt. Absent if the cause disappears by itself. */
    readonly fails?: { readonly afterMs: number; readonly with: Failing };
}

type Failing = (attempt: FailedAttempt, subject: string) => CloudDbError;

const short = () => 1_000;
/** Grows, because only another request can show the end of the cause. */
const growing = (earlier: number) => [1_000, 5_000][earlier] ?? 15_000;

const shown: Rule["shows"] = ({ failure }) => ({ failure });

const rejection: Rule["shows"] = (attempt) => {
    const reason = rejectionReason(attempt);
    return { status: reason === undefined ? "rejected, busy" : `rejected (${reason})` };
};

function rejectionReason({ failure, observation }: FailedAttempt): string | undefined {
    return observation.reason ?? apiMessageIn(failure);
}

const keepsFailing: Failing = ({ failure, count, pausedMs }, subject) => {
    const { operation, reason } = failure;
    const ways = isFromElsewhere(failure) ? (failure.parts.ways ?? []) : [];
    return new CloudDbError({
        what: `${subject}: ${operation} failed with ${reason} (${count + 1} attempts in ${formatDuration(pausedMs)}).`,
        ways: [...ways, way("Resume", "repeat the command later; nothing was rolled back")],
        cause: failure,
    });
};

const rejected: Failing = (attempt, subject) => {
    const { failure, observation } = attempt;
    const ways = observation.verdict === "rejecting" ? observation.ways : [removeTheCause];
    return requestRejected(subject, failure, rejectionReason(attempt) ?? "the API gave no reason", ways);
};

const unsupported: Failing = ({ failure, request }, subject) => {
    const reason = `${partsOf(failure).what} The API may not have this operation`;
    return requestRejected(subject, failure, reason, [way("Continue", request.ifUnsupported ?? "")]);
};

/** The error of a request that the API has rejected for good. */
export function requestRejected(subject: string, failure: CallError, reason: string, ways: readonly WayOut[]) {
    const what = withPeriod(`${subject}: ${failure.operation} was rejected: ${reason}`);
    return new CloudDbError({ what, ways, cause: failure });
}

const rules = {
    /** The API reports an error of its own, or something answers instead of it, and reads show no effect. A person may repair it. */
    answered: { pause: growing, shows: shown, fails: { afterMs: 180_000, with: keepsFailing } },
    /**
     * There was no response, and reads show no effect. The row shows that until the outage ends, or the time limit comes. A creation
     * pauses only once: then `recoverCreated` reads lists until it can decide.
     */
    noResponse: { pause: growing, shows: shown },
    /** The API says that it has no such operation, and not just a proxy for a moment. The error names another way. */
    unsupported: { pause: growing, shows: shown, fails: { afterMs: 40_000, with: unsupported } },
    /** The API does not know a resource that the request refers to, and this run has created. The error is that of the API. */
    referredUnseen: {
        pause: growing,
        shows: shown,
        fails: { afterMs: longestListLagMs, with: ({ failure }) => failure },
    },
    /** Another resource prevents the request. If this run removes that one, it begins soon. Otherwise, the error names it. */
    blocked: { pause: "poll", shows: rejection, fails: { afterMs: 10_000, with: rejected } },
    /** That resource is being removed. The row names it until it is gone. */
    blockedBriefly: { pause: "poll", shows: rejection },
    /** The resource or its parent was busy and no longer is. The row shows the reason of the API if it rejects again. */
    busy: { pause: short, shows: rejection },
    /** A reason such as a missing backup, which passes. Only requests show when, so they are sent less and less often. */
    lasting: { pause: growing, shows: rejection },
    /** Reads show no reason. Within a minute, the error has that of the API: a person has to remove the cause. */
    unexplained: { pause: growing, shows: rejection, fails: { afterMs: 40_000, with: rejected } },
    /** Reads show no reason for the rejection of an update. The platform may maintain the resource for minutes. */
    maintained: { pause: growing, shows: rejection, fails: { afterMs: 300_000, with: rejected } },
} satisfies Readonly<Record<string, Rule>>;

/** The rule for a failure that may pass. Undefined for a final one, which the client has repeated for as long as it may. */
function ruleFor(
    failure: CallError,
    request: RetryPolicy,
    observation: FailedAttempt["observation"],
): Rule | undefined {
    if (request.ifUnsupported !== undefined && isUnknownOperation(failure)) {
        // A proxy can say the same for a moment.
        return rules.unsupported;
    }
    if (request.refersToNew && isNotFound(failure)) {
        return rules.referredUnseen;
    }
    const reaction = reactionTo(failure);
    if (reaction === "readFirst") {
        return isServerError(failure) || isFromElsewhere(failure) ? rules.answered : rules.noResponse;
    }
    if (reaction !== "wait" || (request.locks === undefined && !request.hasParent)) {
        return undefined;
    }
    if (observation.verdict === "rejecting") {
        return observation.isTransient ? rules.blockedBriefly : rules.blocked;
    }
    if (observation.reason !== undefined) {
        return rules.lasting;
    }
    return observation.hasWaited ? rules.busy : request.isUpdate ? rules.maintained : rules.unexplained;
}

/**
 * The attempt after another failure, or after another observation. In another case, the pauses count from 0, unless both fail with the
 * same error. Throws a final failure.
 */
export function nextAttempt(
    attempt: FailedAttempt | undefined,
    present: Omit<FailedAttempt, "rule" | "count" | "pausedMs">,
): FailedAttempt {
    const { failure, request, observation } = present;
    const rule = ruleFor(failure, request, observation);
    if (rule === undefined) {
        throw failure;
    }
    // Answers may show the cause of a rejection and leave it out in turn.
    const isSame = attempt?.rule === rule || (rule.fails && attempt?.rule.fails?.with === rule.fails.with);
    const { count, pausedMs } = attempt && isSame ? attempt : { count: 0, pausedMs: 0 };
    return { ...present, rule, count, pausedMs };
}

/** What a change locks. */
export interface LockScope {
    /** The id of the resource that accepts one change at a time. */
    readonly id: string;
    /** A change of the resource itself holds the lock until its effect is visible, a change of its child until the response. */
    readonly until: "response" | "effect";
}

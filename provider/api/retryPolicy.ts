import { ConnectionError, InvalidResponseError, failureKindOf, type FailureKind } from "./errors";

/** The methods of the API. */
export type Method = "GET" | "POST" | "DELETE";

/** What to do after a failed request. */
export type Reaction =
    /** Send it again. */
    | "repeat"
    /** Read the resource: the request may have taken effect. If it has not, send it again. */
    | "readFirst"
    /** Find out why the API rejects the request, and send it again once that cause is gone. */
    | "wait"
    /** Fail. */
    | "fail";

/** The reaction to each failure. The caller of a request reads and waits, because only the caller knows what to read. */
const reactions: Readonly<Record<FailureKind, Readonly<Record<Method, Reaction>>>> = {
    notSent: { GET: "repeat", POST: "repeat", DELETE: "repeat" },
    noResponse: { GET: "repeat", POST: "readFirst", DELETE: "readFirst" },
    rateLimited: { GET: "repeat", POST: "repeat", DELETE: "repeat" },
    unauthorized: { GET: "repeat", POST: "repeat", DELETE: "repeat" },
    conflict: { GET: "fail", POST: "wait", DELETE: "wait" },
    notFound: { GET: "fail", POST: "fail", DELETE: "readFirst" },
    rejected: { GET: "fail", POST: "fail", DELETE: "fail" },
};

/**
 * How long consecutive failures with one cause are retried, in milliseconds. A cause that is not listed is transient:
 * only the deadline of the caller limits it.
 */
const limitsMs = {
    /** Enough to distinguish an error of the API from a wrong token, and for a request with a renewed one. */
    unauthorized: 1_000,
    /** Enough for a restart of the API, and short enough to notice a wrong host. */
    address: 20_000,
    /** No process listens at an address that has never responded. */
    connectionRefused: 3_000,
    /** Another version of the API, or an entry that the API has not completed yet. */
    contract: 20_000,
} as const;

type Cause = keyof typeof limitsMs;

function causeOf(error: unknown): Cause | undefined {
    if (failureKindOf(error) === "unauthorized") {
        return "unauthorized";
    }
    return error instanceof InvalidResponseError || error instanceof ConnectionError ? error.permanentCause : undefined;
}

/** The longest pause after a failure: it leaves time for at least one retry. */
export function maxPauseAfter(error: unknown): number {
    const cause = causeOf(error);
    return cause === undefined ? Infinity : limitsMs[cause] / 2;
}

/** The reaction to one failure, regardless of time limits. */
export function reactionTo(error: unknown, method: Method): Reaction {
    const kind = failureKindOf(error);
    return kind === undefined ? "fail" : reactions[kind][method];
}

/** Decides how to react to the failures of one request or one wait, in their order. */
export class RetryPolicy {
    private current: { readonly limitMs: number; readonly since: number } | undefined;

    constructor(private readonly method: Method) {}

    /** The reaction to a failure that occurs now, if the retry would follow after this pause. */
    reactionTo(error: unknown, now: number, pauseMs = 0): Reaction {
        return now + pauseMs > this.limitAt(causeOf(error), now) ? "fail" : reactionTo(error, this.method);
    }

    private limitAt(cause: Cause | undefined, now: number): number {
        if (cause === undefined) {
            this.current = undefined;
            return Infinity;
        }
        const limitMs = limitsMs[cause];
        this.current = this.current?.limitMs === limitMs ? this.current : { limitMs, since: now };
        return this.current.since + limitMs;
    }
}

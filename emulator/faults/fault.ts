import type { OperationId } from "../wire";

/** The effects of a fault on a call, by kind. Times are in milliseconds by the emulator's clock. */
export interface EffectKinds {
    /** Returns an error response in place of the real one. The request is not carried out unless `carriedOut` is true. */
    answer: {
        /** The HTTP status, 300 to 599. */
        status: number;
        /** The body: an error in the format of the contract, the HTML page of a proxy, or no body. Default: `"json"`. */
        body?: "json" | "html" | "empty";
        /** Adds a `Retry-After` header with this delay in milliseconds. Default: no header. */
        retryAfterMs?: number;
        /** The format of `Retry-After`. Default: `"seconds"`. */
        retryAfterForm?: "seconds" | "date";
        /** Whether the request is carried out. Default: false. */
        carriedOut?: boolean;
    };
    /** Breaks the connection. */
    reset: {
        /** When it breaks: before the request is carried out, after it, or in the middle of the response. */
        when: "before" | "after" | "middle";
    };
    /** Carries out the request immediately and delays the response. */
    delay: {
        /** The delay in milliseconds. */
        ms: number;
    };
    /** Returns no response, and keeps the connection open. The request is not carried out unless `carriedOut` is true. */
    unanswered: {
        /** Whether the request is carried out. Default: false. */
        carriedOut?: boolean;
    };
    /** Carries out the request and returns malformed JSON. */
    malformed: object;
    /** Carries out the request and leaves out the second half of the response body. */
    truncated: object;
    /** Carries out the request and adds unknown fields and unknown enumeration values to a successful response. */
    unknowns: object;
    /** Carries out the request. From then on, all reads return the state before this call. */
    stale: {
        /** The duration in milliseconds. */
        ms: number;
    };
    /** Carries out a POST and hides its resource: reads return 404, and lists do not contain it. Other methods are not affected. */
    hidden: {
        /** The duration in milliseconds. */
        ms: number;
    };
    /** Carries out the request and leaves out one random entry of a list. Other responses are not affected. */
    omit: object;
    /** Carries out the request and adds an entry that violates the contract to a list. Other responses are not affected. */
    malformedEntry: object;
    /** Carries out the request and returns `null` in place of an empty list. Other responses are not affected. */
    nullList: object;
    /**
     * Carries out the request and describes another object in place of the resource that was created or read: the oldest
     * other one in the same place, or else an invented one. Other responses are not affected.
     */
    otherObject: object;
    /**
     * Carries out the request and closes its connection without notice: the next request on the same connection is not
     * carried out and gets no response.
     */
    closes: object;
    /**
     * Rejects the call with 401. From then on, the token of the call is expired: each request with it is rejected, until the
     * faults are cleared.
     */
    tokenExpires: object;
    /** Carries out a POST and leaves its resource out of lists. Reads by id still return it. Other methods are not affected. */
    unlisted: {
        /** The duration in milliseconds. */
        ms: number;
    };
    /** Carries out the request and delays all pending transitions of its resource. A VPC has no transitions. */
    stuck: {
        /** The delay in milliseconds. */
        ms: number;
    };
    /** Carries out the request and overrides the status of its service or read replica set. */
    status: {
        /** The status to report, any text. */
        status: string;
        /** The duration in milliseconds. Default: until `setServiceStatus` or `setReplicaSetStatus` removes the override. */
        ms?: number;
    };
    /** Carries out the request and fails its peering. */
    peeringFails: {
        /** The error message of the peering. Default: a generic message. */
        message?: string;
        /** The status of the peering, for example `rejected`. Default: `failed`. */
        status?: string;
        /** The time in milliseconds until the peering becomes active. Default: until `acceptPeering` accepts it. */
        ms?: number;
    };
}

export type EffectKind = keyof EffectKinds;

/** One effect of a fault. */
export type Effect<Kind extends EffectKind = EffectKind> = {
    [K in Kind]: { kind: K } & EffectKinds[K];
}[Kind];

export type FaultMethod = "GET" | "POST" | "DELETE";

/** A fault that the emulator injects into some of the calls. */
export interface Fault {
    /** The operation to match, for example `createService`. Default: all operations. */
    operation?: OperationId;
    /** The HTTP method to match, instead of an operation. Default: all methods. */
    method?: FaultMethod;
    /** The id of a resource: only calls with this id in their path match. Default: any path. */
    resource?: string;
    /** The first matching call that the fault hits, counted from 1. Default: 1. */
    from?: number;
    /** The number of matching calls that the fault hits, beginning with `from`. Default: 1, or `"all"` if there is a probability. */
    times?: number | "all";
    /** The probability that the fault hits each of these calls, above 0 and up to 1. Default: 1. */
    probability?: number;
    /** The effect on the call. If there are several effects, each call gets a random one of them. */
    effect: Effect | readonly Effect[];
}

/** A fault as an object or in short form, such as `createService#2:reset-after`. */
export type FaultInput = Fault | string;

/** An active fault. */
export interface FaultReport {
    /** The fault in short form. */
    fault: string;
    /** The number of calls that it has hit. */
    hits: number;
}

/** The effects of `--random-faults`: transient failures, as they occur in production. */
export const passingEffects: readonly Effect[] = [
    { kind: "answer", status: 500 },
    { kind: "answer", status: 502, body: "html" },
    { kind: "answer", status: 502, body: "html", carriedOut: true },
    { kind: "answer", status: 503, body: "empty", retryAfterMs: 1_000 },
    { kind: "answer", status: 504, body: "empty", carriedOut: true },
    { kind: "answer", status: 429, retryAfterMs: 1_000 },
    { kind: "answer", status: 429, retryAfterMs: 1_000, retryAfterForm: "date" },
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
    { kind: "reset", when: "middle" },
    { kind: "delay", ms: 1_000 },
    { kind: "malformed" },
    { kind: "truncated" },
    { kind: "unknowns" },
    { kind: "stale", ms: 1_000 },
    { kind: "hidden", ms: 1_000 },
    { kind: "omit" },
    { kind: "stuck", ms: 5_000 },
];

/** A fault that hits each call with this probability. */
export const randomFaults = (probability: number): Fault => ({ probability, effect: passingEffects });

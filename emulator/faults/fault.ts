import type { OperationId } from "../wire";

/** What can go wrong with a call, by its kind; times are in milliseconds by the emulator's clock. */
export interface EffectKinds {
    /** Another answer takes the place of the real one, and the request is not carried out unless `carriedOut` says so. */
    answer: {
        /** 300 to 599. */
        status: number;
        /** What is in it: an error as the contract has it, the page of a proxy, or nothing; default "json". */
        body?: "json" | "html" | "empty";
        /** Adds a Retry-After header. */
        retryAfterMs?: number;
        /** How Retry-After is written; default "seconds". */
        retryAfterForm?: "seconds" | "date";
        /** Whether the request is carried out all the same; default false. */
        carriedOut?: boolean;
    };
    /** The connection breaks. */
    reset: {
        /** Before the request is carried out, after that, or after half of the answer. */
        when: "before" | "after" | "middle";
    };
    /** The request is carried out at once, and its answer comes later. */
    delay: {
        /** So much later. */
        ms: number;
    };
    /** Carried out, but the answer begins like JSON and is none. */
    malformed: object;
    /** Carried out, but the second half of the answer is missing. */
    truncated: object;
    /** Carried out; an answer that is no error has fields and values of enumerations that no client knows yet. */
    unknowns: object;
    /** Carried out; from then on all reads, of anything, are answered as it was before this call. */
    stale: {
        /** For so long. */
        ms: number;
    };
    /** Carried out; what a POST made or was about is answered with 404, and missing from lists. Other methods pass unharmed. */
    hidden: {
        /** For so long. */
        ms: number;
    };
    /** Carried out; one entry, picked at random, is missing from the list that is answered. Other answers are as they should be. */
    omit: object;
    /** Carried out; the list that is answered has one more entry, which breaks the contract. Other answers are as they should be. */
    malformedEntry: object;
    /** Carried out; what a POST made or was about is missing from lists, although it can be read by its id. */
    unlisted: {
        /** For so long. */
        ms: number;
    };
    /** Carried out; all that is still to happen to what the call is about happens later. A VPC has nothing to wait for. */
    stuck: {
        /** So much later. */
        ms: number;
    };
    /** Carried out; the service or read replica set that the call is about shows another status. */
    status: {
        /** Any text. */
        status: string;
        /** For so long; default until `setServiceStatus` or `setReplicaSetStatus` lifts it. */
        ms?: number;
    };
    /** Carried out; the peering that the call is about fails. */
    peeringFails: {
        /** What it gives as the reason; default a usual one. */
        message?: string;
        /** The status that it shows, for example `rejected`; default `failed`. */
        status?: string;
        /** After so long it is active; default until `acceptPeering` accepts it. */
        ms?: number;
    };
}

export type EffectKind = keyof EffectKinds;

/** One thing that goes wrong. */
export type Effect<Kind extends EffectKind = EffectKind> = {
    [K in Kind]: { kind: K } & EffectKinds[K];
}[Kind];

export type FaultMethod = "GET" | "POST" | "DELETE";

/** Something that goes wrong with certain calls. */
export interface Fault {
    /** Only calls of this operation, for example `createService`; default all. */
    operation?: OperationId;
    /** Only calls of this method, in place of an operation; default all. */
    method?: FaultMethod;
    /** The first of these calls that it hits, counted from 1; default 1. */
    from?: number;
    /** How many of them it hits from there on; default 1, or "all" where there is a probability. */
    times?: number | "all";
    /** It hits each of them with this probability only; default 1. */
    probability?: number;
    /** What happens; of several effects one is picked at random each time. */
    effect: Effect | readonly Effect[];
}

/** A fault, or the same in short, such as `createService#2:reset-after`. */
export type FaultInput = Fault | string;

/** A fault in short, and how often it has hit. */
export interface FaultReport {
    fault: string;
    hits: number;
}

/** What goes wrong in the field and passes by itself: the effects of `--random-faults`. */
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

/** Faults that hit any call with this probability. */
export const randomFaults = (probability: number): Fault => ({ probability, effect: passingEffects });

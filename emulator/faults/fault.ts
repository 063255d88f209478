import type { OperationId } from "../wire";

/** What can go wrong with a call, by its kind; times are in milliseconds by the emulator's clock. */
export interface EffectKinds {
    /** Another answer takes the place of the real one. */
    answer: {
        status: number;
        /** Default "json", an error of the contract. */
        body?: "json" | "html" | "empty";
        /** Adds a Retry-After header. */
        retryAfterMs?: number;
        /** How Retry-After is written; default "seconds". */
        retryAfterForm?: "seconds" | "date";
        /** Whether the request is carried out all the same; default false. */
        carriedOut?: boolean;
    };
    /** The connection breaks: before the request is carried out, after that, or in the middle of the answer. */
    reset: { when: "before" | "after" | "middle" };
    /** The answer comes later. */
    delay: { ms: number };
    /** Carried out, but the answer is no JSON. */
    malformed: object;
    /** Carried out, but the second half of the answer is missing. */
    truncated: object;
    /** Carried out; the answer has fields and values of enumerations that no client knows yet. */
    unknowns: object;
    /** Carried out; all reads are answered for a while as if it had not been. */
    stale: { ms: number };
    /** Carried out; what the call made is answered with 404, and missing from lists, for a while. */
    hidden: { ms: number };
    /** Carried out; one entry is missing from the list that is answered. */
    omit: object;
    /** Carried out; what it is about stays so much longer in the state that it is in. */
    stuck: { ms: number };
    /** Carried out; what it is about shows this status, for a while or until a control function lifts it. */
    status: { status: string; ms?: number };
    /** Carried out; the peering fails, for a while or until a control function accepts it. */
    peeringFails: { message?: string; ms?: number };
}

export type EffectKind = keyof EffectKinds;

/** One thing that goes wrong. */
export type Effect<Kind extends EffectKind = EffectKind> = {
    [K in Kind]: { kind: K } & EffectKinds[K];
}[Kind];

export type FaultMethod = "GET" | "POST" | "DELETE";

/** Something that goes wrong with certain calls. */
export interface Fault {
    /** Only with calls of this operation. */
    operation?: OperationId;
    /** Only with calls of this method. */
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

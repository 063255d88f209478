import { methods } from "../../provider/api/operations.gen";
import { loadContract } from "../contract";
import { count, isFunction, isObject, matching, needed, oneOf, probability, problemOf, value } from "../schema";
import type { Form, ValuesOf } from "../schema";
import type { OperationId } from "../wire";
import { effectKinds, fieldsOf, type AnyEffect, type Effect, type EffectKind } from "./effects";

export type FaultMethod = keyof typeof methods;

export const faultMethods = Object.keys(methods) as FaultMethod[];

const kind = oneOf(effectKinds);

const effect: Form<AnyEffect | readonly AnyEffect[]> = {
    type: "Effect | Effect[]",
    problem: (name, given) => {
        if (Array.isArray(given)) {
            const [problem] = given.flatMap((one: unknown) => effect.problem(name, one) ?? []);
            return given.length === 0 ? `${name} must not be an empty list.` : problem;
        }
        if (isFunction(given)) {
            return undefined;
        }
        if (!isObject(given)) {
            return `${name} must be an object with a kind, or a list of such objects.`;
        }
        const { kind: named, ...values } = given;
        return (
            kind.problem(`kind of ${name}`, named) ??
            problemOf(values, fieldsOf(named as EffectKind), "field", named as EffectKind)
        );
    },
};

/** Which calls a fault hits, and its effect. */
const fields = {
    /** The operation to match, for example `createService`. Default: all operations. */
    operation: oneOf<OperationId>(() => loadContract().operationIds),
    /** The HTTP method to match, instead of an operation. Default: all methods. */
    method: oneOf(faultMethods),
    /** The id of a resource: only calls with this id in their path match. Default: any path. */
    resource: matching(/^[A-Za-z0-9-]+$/, "the id of a resource"),
    /** The first matching call that the fault hits, counted from 1. Default: 1. */
    from: count,
    /** The number of matching calls that the fault hits, beginning with `from`. Default: 1, or `"all"` if there is a probability. */
    times: value<number | "all">(
        'an integer of at least 1, or "all"',
        'number | "all"',
        (times) => times === "all" || count.problem("", times) === undefined,
    ),
    /** The probability that the fault hits each of these calls, above 0 and up to 1. Default: 1. */
    probability,
    /**
     * The effect on the call; in a program also a function around it, as in the option `intercept`. If there are several effects,
     * each call gets a random one of them.
     */
    effect: needed(effect),
};

/** A fault that the emulator injects into some of the calls. */
export type Fault = ValuesOf<typeof fields>;

/** What is wrong with a fault as an object. */
export function faultProblem(input: unknown): string | undefined {
    if (!isObject(input)) {
        return "It must be an object or a string such as createService#2:reset-after.";
    }
    const isTwice = input.operation !== undefined && input.method !== undefined;
    return problemOf(input, fields) ?? (isTwice ? "Set operation or method, not both." : undefined);
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
export const randomFaults = (chance: number): Fault => ({ probability: chance, effect: passingEffects });

import { same, show, valueOf } from "../base/fields";
import type { Operation } from "../model/operation";
import { pending, ready, type Outcome } from "../model/outcome";
import type { Need } from "../model/step";

/** What a wait is for: what a response means for it. */
export type Condition = (item: unknown) => Outcome;

/** The resource is at rest, or what the need says. */
export function readyFor({ resource, inputs }: Operation, needs?: Need): Condition {
    return (item) => resource.observation.readiness(item, inputs, needs);
}

/** The resource shows these values. */
export function shows({ resource, path }: Operation, values: object): Condition {
    return (item) => {
        const observed = resource.observation.observe(item, path);
        const { status = "at rest" } = observed as { status?: string };
        return differences(values, observed).length === 0 ? ready : pending(status, "change not visible yet");
    };
}

/** This time has come on the clock of the API. */
export function notBefore({ context }: Operation, time: number, reason: string): Condition {
    return () => (context.serverNow() >= time ? ready : pending("at rest", reason));
}

/** All of the conditions hold. The first one that does not hold says why. */
export function all(...conditions: readonly Condition[]): Condition {
    return (item) => conditions.map((condition) => condition(item)).find(({ phase }) => phase !== "ready") ?? ready;
}

/** One of the conditions holds. If none does, the last one says why. */
export function either(first: Condition, second: Condition): Condition {
    return (item) => (holds(first, item) ? ready : second(item));
}

/** Whether the condition holds for this response. */
export const holds = (condition: Condition, item: unknown): boolean => condition(item).phase === "ready";

/** The declared properties whose value differs from the observed one, for a message: `replicaCount is 1, declared 2`. */
export function differences(declared: object, observed: object): readonly string[] {
    return Object.entries<unknown>({ ...declared })
        .filter(([name, value]) => !same(value, valueOf(observed, name)))
        .map(([name, value]) => `${name} is ${show(valueOf(observed, name))}, declared ${show(value)}`);
}

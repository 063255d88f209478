import { same, show, valueOf } from "../base/fields";
import type { Operation } from "../model/operation";
import { pending, ready, type Outcome } from "../model/outcome";
import type { Need } from "../model/step";
import { showsWithinMs } from "./schedule";

/** What a wait is for: what a response means for it. */
export type Condition = (item: unknown) => Outcome;

/** The resource is at rest, or what the need says. */
export function readyFor({ resource, inputs }: Operation, needs?: Need): Condition {
    return (item) => resource.observation.readiness(item, inputs, needs);
}

/**
 * The resource shows these values. `before` is the response before the request: if it said that the resource has no such value, a
 * response that leaves it out counts as showing the new one.
 */
export function shows(operation: Operation, values: object, before?: unknown): Condition {
    const old = before === undefined ? {} : operation.observe(before);
    // One that the response left out has no key in `old`.
    const hadNone = (name: string) => Object.hasOwn(old, name) && valueOf(old, name) === undefined;
    return (item) => {
        const shown = operation.observe(item);
        const added = Object.entries(values).filter(([name]) => hadNone(name));
        const observed = { ...Object.fromEntries(added), ...shown };
        const { status = "at rest" } = observed as { status?: string };
        const [missing] = differences(values, observed);
        return missing === undefined ? ready : pending(status, `change not visible yet: ${missing}`);
    };
}

/**
 * The condition holds, or `showsWithinMs` has passed since this time on the clock of the API. What the API had accepted by that time
 * shows then, and what does not show was not carried out.
 */
export function orTooLate({ context }: Operation, condition: Condition, acceptedAt = context.serverNow()): Condition {
    const endsAt = acceptedAt + showsWithinMs;
    return (item) => {
        const outcome = condition(item);
        return context.serverNow() >= endsAt ? ready : outcome;
    };
}

/** All of the conditions hold. The first one that does not hold says why. */
export function all(...conditions: readonly Condition[]): Condition {
    return (item) => conditions.map((condition) => condition(item)).find(({ phase }) => phase !== "ready") ?? ready;
}

/** Whether the condition holds for this response. */
export const holds = (condition: Condition, item: unknown): boolean => condition(item).phase === "ready";

/** The declared properties whose value is not the observed one, for a message: `replicaCount is 1, declared 2`. */
export function differences(declared: object, observed: object): readonly string[] {
    const isShown = (name: string) => Object.hasOwn(observed, name);
    return Object.entries<unknown>({ ...declared })
        .filter(([name, value]) => !isShown(name) || !same(value, valueOf(observed, name)))
        .map(([name, value]) => {
            const found = isShown(name) ? `is ${show(valueOf(observed, name))}` : "is not shown";
            return `${name} ${found}, declared ${show(value)}`;
        });
}

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
 * The resource shows these values. One that a response leaves out counts as shown if the response `before` said that there was none.
 */
export function shows({ resource, path }: Operation, values: object, before?: unknown): Condition {
    const old = before === undefined ? {} : resource.observation.observe(before, path);
    const isNew = (name: string) => Object.hasOwn(old, name) && valueOf(old, name) === undefined;
    return (item) => {
        const shown = resource.observation.observe(item, path);
        const added = Object.entries(values).filter(([name, value]) => value !== undefined && isNew(name));
        const observed = { ...Object.fromEntries(added), ...shown };
        const { status = "at rest" } = observed as { status?: string };
        const [missing] = differences(values, observed);
        return missing === undefined ? ready : pending(status, `change not visible yet: ${missing}`);
    };
}

/** The response says something of each of these properties. */
export function mentions({ resource, path }: Operation, values: object): Condition {
    return (item) => {
        const shown = resource.observation.observe(item, path);
        const [missing] = Object.keys(values).filter((name) => !Object.hasOwn(shown, name));
        return missing === undefined ? ready : pending("at rest", `${missing} is not shown`);
    };
}

/** This time has come on the clock of the API. */
export function notBefore({ context }: Operation, time: number, reason: string): Condition {
    return () => (context.serverNow() >= time ? ready : pending("at rest", reason));
}

/** The condition holds, or the time is over in which an accepted change shows. */
export function inTime({ context }: Operation, condition: Condition): Condition {
    const endsAt = context.serverNow() + showsWithinMs;
    return (item) => {
        const outcome = condition(item);
        return context.serverNow() >= endsAt ? ready : outcome;
    };
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

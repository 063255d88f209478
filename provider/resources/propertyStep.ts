import { withDisruption, type Disruption } from "../lifecycle/disruption";
import { differences } from "../lifecycle/differences";
import type { Step } from "../lifecycle/resource";
import type { Outcome } from "../wait/outcome";

/** A change of properties: its request, its line in a preview, and the values that show its effect. */
export interface PropertyChange<Property extends string = string> extends Pick<
    Step<never>,
    "call" | "readBody" | "text" | "records" | "onUncertain" | "ifKilled" | "ifUnsupported"
> {
    /** What the change does to applications. Absent if they keep their connections. */
    readonly disruption?: Disruption;
    /** The properties that the change sets. Absent if the effect cannot be observed. */
    readonly sets?: Readonly<Partial<Record<Property, unknown>>>;
    /** Further inputs and outputs that the change affects, with their new values. */
    readonly affects?: Readonly<Record<string, unknown>>;
}

/** Marks the line of a change that not every version of the API can make. */
export const uncertain = (text: string): string => `${text} (the API may not support this)`;

/** How responses show whether a change is possible, and whether it is in effect. */
export interface Conditions<Item> {
    /** Maps a response to the properties that a change sets. */
    readonly observe: (item: Item) => object;
    /** Whether the resource is at rest. */
    readonly readiness: (item: Item) => Outcome;
    /**
     * Whether the resource is in the state that the change needs, and that it returns to: some changes need a running
     * service, others only one at rest. Defaults to `readiness`.
     */
    readonly restState?: (item: Item) => Outcome;
    /** Whether the API accepts the request. Defaults to `restState`. */
    readonly accepts?: (item: Item) => Outcome;
    /** The outcome if the resource is at rest without the change. Its status may be from before the request. */
    readonly notVisible: (item: Item) => Outcome;
}

/** The step that carries out a change of properties. */
export function propertyStep<Item>(
    { sets, affects, disruption, ...change }: PropertyChange,
    { observe, readiness, restState = readiness, accepts = restState, notVisible }: Conditions<Item>,
): Step<Item> {
    const differs = sets && ((item: Item) => differences(sets, observe(item)));
    return {
        ...change,
        text: withDisruption(change.text, disruption),
        changes: { ...sets, ...affects },
        accepts,
        achieved: (item) => {
            if (differs === undefined || differs(item).length === 0) {
                return restState(item);
            }
            const outcome = readiness(item);
            return outcome.kind === "ready" ? notVisible(item) : outcome;
        },
        ...(differs ? { differs } : {}),
    };
}

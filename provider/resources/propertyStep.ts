import { withDisruption, type Disruption } from "../lifecycle/disruption";
import type { Step } from "../lifecycle/resource";

/** A change of properties: a step without its conditions. */
export interface PropertyChange<Property extends string = string> extends Omit<Step<never>, "accepts" | "obstacle"> {
    /** What the change does to applications. Absent if they keep their connections. */
    readonly disruption?: Disruption;
    readonly sets?: Readonly<Partial<Record<Property, unknown>>>;
}

/** Marks the line of a change that not every version of the API can make. */
export const uncertain = (text: string): string => `${text} (the API may not support this)`;

/** The step that carries out a change of properties. */
export function propertyStep<Item>(
    { disruption, ...change }: PropertyChange,
    accepts: Step<Item>["accepts"],
): Step<Item> {
    return { ...change, text: withDisruption(change.text, disruption), accepts };
}

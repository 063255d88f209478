import type { Step } from "../contract/resource";

/** A step whose `sets` has only these properties. */
export interface PropertyChange<Property extends string = string> extends Step {
    readonly sets?: Readonly<Partial<Record<Property, unknown>>>;
}

/** Marks the line of a change that not every version of the API can make. */
export const uncertain = (text: string): string => `${text} (the API may not support this)`;

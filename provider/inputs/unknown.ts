/** Stands for a value that a preview cannot know yet. */
export const unknown: unique symbol = Symbol("known after apply");
export type Unknown = typeof unknown;

/** Inputs of which any value may be unknown. */
export type Planned<Inputs> = { readonly [Key in keyof Inputs]: Inputs[Key] | Unknown };

/** Whether a value is unknown or holds something that is. */
export function hasUnknown(value: unknown): boolean {
    if (value === unknown) {
        return true;
    }
    return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

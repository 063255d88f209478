/** The value of an input that is not known before apply. */
export const unknown: unique symbol = Symbol("known after apply");
export type Unknown = typeof unknown;

/** Inputs with values that may be unknown. */
export type Planned<Inputs> = { readonly [Key in keyof Inputs]: Inputs[Key] | Unknown };

/** Whether a value is unknown or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
    if (value === unknown) {
        return true;
    }
    return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

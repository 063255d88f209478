/** A state as an earlier version stored it, without Pulumi's marks. */
export interface OlderState {
    readonly values: Readonly<Record<string, unknown>>;
    readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Each makes a state of one number a state of the next number. The first one is for states with the number 1.
 * tests/engine/upgrade has recorded states with each number.
 */
export const migrations: readonly ((older: OlderState) => OlderState)[] = [];

/** The number of the states that these migrations lead to, which this version writes. */
export const latestOf = (all: typeof migrations): number => all.length + 1;

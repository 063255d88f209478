/** A state as an earlier version stored it, without Pulumi's marks. */
export interface OlderState {
    readonly values: Readonly<Record<string, unknown>>;
    readonly record: Readonly<Record<string, unknown>>;
}

/** Makes a state of one number a state of the next number. */
export type Migration = (older: OlderState) => OlderState;

/** The first one is for states with the number 1. tests/engine/upgrade has recorded states with each number. */
export const migrations: readonly Migration[] = [];

/** The number of the states that these migrations lead to, which this version writes. */
export const latestOf = (all: readonly Migration[]): number => all.length + 1;

import { durationsOfKinds } from "./kinds";
import { milliseconds } from "./schema";
import { commonDurations } from "./world/rules";

/**
 * The duration of each operation in milliseconds, before `speed` divides it: long enough to observe in a terminal, short enough
 * for a first try.
 */
export const defaultDurations: typeof durationsOfKinds & typeof commonDurations = {
    ...durationsOfKinds,
    ...commonDurations,
};

export type Durations = typeof defaultDurations;

export const durationFields = Object.fromEntries(Object.keys(defaultDurations).map((name) => [name, milliseconds])) as {
    [Name in keyof Durations]: typeof milliseconds;
};

/** Durations, divided by `speed`. */
export const scaled = (durations: Durations, speed: number): Durations =>
    Object.fromEntries(Object.entries(durations).map(([name, ms]) => [name, ms / speed])) as Durations;

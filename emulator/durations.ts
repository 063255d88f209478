import { durationsOfKinds } from "./kinds";
import { mapped, milliseconds } from "./schema";
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

export const durationFields = mapped(defaultDurations, () => milliseconds) as {
    [Name in keyof Durations]: typeof milliseconds;
};

/** Durations, divided by `speed`. */
export const scaled = (durations: Durations, speed: number): Durations =>
    mapped(durations, (ms) => ms / speed) as Durations;

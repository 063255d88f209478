import { seeded } from "../statistics";

/** Something to wait for, in milliseconds since the beginning of a run. */
export interface Job {
    readonly beginsAt: number;
    readonly durationMs: number;
}

/** What became of the waits of a run. */
export interface Waited {
    /** For each job, how long after the change of state it was noticed, in milliseconds. */
    readonly delaysMs: readonly number[];
    readonly requests: number;
}

/** A request takes this long, there and back: what a service in the same part of the world needs. */
export const roundTripMs = 50;
/** `pulumi up --parallel` begins all of them within this time. */
const beginWithinMs = 1_000;

const [second, minute] = [1_000, 60_000];

/** How long things take, as a function of a number from 0 to 1. */
const kinds = {
    short: { text: "short (5-20 s)", durationMs: (part: number) => (5 + 15 * part) * second },
    long: { text: "long (5-30 min)", durationMs: (part: number) => (5 + 25 * part) * minute },
    // As many below two minutes as above.
    mixed: { text: "mixed (5 s-30 min)", durationMs: (part: number) => 5 * second * 360 ** part },
};

export type Kind = keyof typeof kinds;
export const allKinds = Object.keys(kinds) as Kind[];

export function textOf(kind: Kind): string {
    return kinds[kind].text;
}

/**
 * The runs of a cell, the same each time. The durations of all runs together are spread evenly over their range, so that few
 * runs give a steady mean.
 */
export function runsOf(kind: Kind, services: number, runs: number, seed = 1): Job[][] {
    const random = seeded(seed * 7919 + services);
    const total = services * runs;
    const parts = shuffled(
        Array.from({ length: total }, (_, index) => (index + random()) / total),
        random,
    );
    return Array.from({ length: runs }, (_, run) =>
        parts.slice(run * services, (run + 1) * services).map((part) => ({
            beginsAt: services === 1 ? 0 : random() * beginWithinMs,
            durationMs: kinds[kind].durationMs(part),
        })),
    );
}

/** Runs of one job each that takes about so long: a tenth less up to a tenth more, so that no schedule fits by luck. */
export function runsAround(durationMs: number, runs: number): Job[][] {
    const random = seeded(durationMs);
    return Array.from({ length: runs }, (_, index) => {
        const part = (index + random()) / runs;
        return [{ beginsAt: 0, durationMs: durationMs * (0.9 + 0.2 * part) }];
    });
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
    return values
        .map((value) => ({ value, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value);
}

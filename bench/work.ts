/** An operation to wait for. `beginsAt` is in milliseconds since the start of the run. */
export interface Job {
    readonly beginsAt: number;
    readonly durationMs: number;
}

/** The result of a run's waits. */
export interface Waited {
    /** For each job, the delay between its end and the detection, in milliseconds. */
    readonly delaysMs: readonly number[];
    readonly requests: number;
}

/** The round-trip time of a request to a server in the same region. */
export const roundTripMs = 50;
/** `pulumi up --parallel` starts all operations within this time. */
const beginWithinMs = 1_000;

const [second, minute] = [1_000, 60_000];

/** The durations of operations, as functions of a number from 0 to 1. */
const kinds = {
    short: { text: "short (5-20 s)", durationMs: (part: number) => (5 + 15 * part) * second },
    long: { text: "long (5-30 min)", durationMs: (part: number) => (5 + 25 * part) * minute },
    // Half of the durations are below 95 s.
    mixed: { text: "mixed (5 s-30 min)", durationMs: (part: number) => 5 * second * 360 ** part },
};

export type Kind = keyof typeof kinds;
export const allKinds = Object.keys(kinds) as Kind[];

export function textOf(kind: Kind): string {
    return kinds[kind].text;
}

/**
 * The runs of a cell, the same for each call. The durations of all runs are spread evenly over their range, so that few
 * runs are enough for a stable mean.
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

/** A job for each run. The durations vary by up to 10 %, so that no schedule matches by chance. */
export function runsAround(durationMs: number, runs: number): Job[] {
    const random = seeded(durationMs);
    return Array.from({ length: runs }, (_, index) => {
        const part = (index + random()) / runs;
        return { beginsAt: 0, durationMs: durationMs * (0.9 + 0.2 * part) };
    });
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
    return values
        .map((value) => ({ value, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value);
}

/** A repeatable source of numbers from 0 up to 1 (mulberry32). */
export function seeded(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

export const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;

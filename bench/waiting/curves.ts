import { nextPoll, numbers, type ScheduleNumbers } from "../../provider/wait/schedule";
import { mean, seeded } from "../statistics";
import { ours } from "./contestants";
import { roundTripMs, runsAround, runsOf, type Job, type Kind } from "./work";
import { startBenchWorld } from "./world";

/** The requests and the delay of a schedule for one service. */
export interface Point {
    /** The changed number of the schedule. */
    readonly value: number;
    readonly requests: number;
    readonly meanDelayMs: number;
}

/** The results for several values of one number of the schedule. */
export interface Curve {
    readonly name: keyof Pick<ScheduleNumbers, "partOfElapsed" | "earlyPollMs" | "longestPollMs">;
    readonly points: readonly Point[];
}

export interface Trade {
    readonly kind: Kind;
    readonly curves: readonly Curve[];
    /** The schedule in use. */
    readonly chosen: Point;
}

const waits = 600;

/** Measures delay and requests for values around the numbers in use, for a single wait, which shares no polls. */
export function measureTrade(kind: Kind): Trade {
    const jobs = runsOf(kind, 1, waits).flat();
    const curve = (name: Curve["name"], values: readonly number[]): Curve => ({
        name,
        points: values.map((value) => pointOf({ ...numbers, [name]: value }, value, jobs)),
    });
    return {
        kind,
        curves: [
            curve("partOfElapsed", [0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05]),
            curve("earlyPollMs", [300, 450, 600, 900, 1_300, 2_000, 3_000]),
            curve("longestPollMs", [2_000, 3_000, 4_500, 7_000, 10_000, 20_000]),
        ],
        chosen: pointOf(numbers, numbers.partOfElapsed, jobs),
    };
}

function pointOf(tried: ScheduleNumbers, value: number, jobs: readonly Job[]): Point {
    const random = seeded(1);
    const waited = jobs.map(({ durationMs }) => waitAlone(tried, durationMs, random));
    return {
        value,
        requests: mean(waited.map(({ requests }) => requests)),
        meanDelayMs: mean(waited.map(({ delayMs }) => delayMs)),
    };
}

/** Calculates a wait that shares no polls. A test compares the result with a real wait. */
export function waitAlone(
    tried: ScheduleNumbers,
    durationMs: number,
    random: () => number,
): { requests: number; delayMs: number } {
    let elapsed = 0;
    for (let requests = 1; ; requests++) {
        elapsed += nextPoll(elapsed, random, undefined, tried);
        const seenAt = elapsed + roundTripMs / 2;
        elapsed += roundTripMs;
        if (seenAt >= durationMs) {
            return { requests, delayMs: elapsed - durationMs };
        }
    }
}

/** The result of single waits of one duration. */
export interface ByDuration {
    readonly durationMs: number;
    readonly meanDelayMs: number;
    /** The mean of delay divided by duration. */
    readonly partOfDuration: number;
    readonly requests: number;
}

/** Measures real waits for one service, by duration. */
export async function measureByDuration(durationsMs: readonly number[], runs: number): Promise<ByDuration[]> {
    const world = await startBenchWorld(1);
    try {
        const result: ByDuration[] = [];
        for (const durationMs of durationsMs) {
            const waits = [];
            for (const [index, jobs] of runsAround(durationMs, runs).entries()) {
                const { delaysMs, requests } = await ours(world, jobs, index);
                const [delayMs = NaN] = delaysMs;
                waits.push({ delayMs, part: delayMs / (jobs[0]?.durationMs ?? NaN), requests });
            }
            result.push({
                durationMs,
                meanDelayMs: mean(waits.map(({ delayMs }) => delayMs)),
                partOfDuration: mean(waits.map(({ part }) => part)),
                requests: mean(waits.map(({ requests }) => requests)),
            });
        }
        return result;
    } finally {
        await world.close();
    }
}

import { nextPoll, numbers, type ScheduleNumbers } from "../../provider/wait/schedule";
import { mean, seeded } from "../statistics";
import { withWorld } from "./cells";
import { ours } from "./contestants";
import { roundTripMs, runsAround, runsOf, type Kind } from "./work";

/** The requests and the delay of a schedule for one service. */
export interface Point {
    readonly requests: number;
    readonly meanDelayMs: number;
}

/** The schedule with one changed number. */
interface Changed extends Point {
    readonly name: keyof ScheduleNumbers;
    readonly value: number;
}

export interface Trade {
    readonly kind: Kind;
    /** The schedule in use. */
    readonly chosen: Point;
    readonly changed: readonly Changed[];
}

const waits = 600;
const tried = {
    backoffFraction: [0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05],
    earlyPollMs: [300, 450, 600, 900, 1_300, 2_000, 3_000],
    longestPollMs: [2_000, 3_000, 4_500, 7_000, 10_000, 20_000],
};

/** Measures delay and requests for values around the numbers in use, for a single wait, which shares no polls. */
export function measureTrade(kind: Kind): Trade {
    const jobs = runsOf(kind, 1, waits).flat();
    const pointOf = (schedule: ScheduleNumbers): Point => {
        const random = seeded(1);
        const waited = jobs.map(({ durationMs }) => waitAlone(schedule, durationMs, random()));
        return {
            requests: mean(waited.map(({ requests }) => requests)),
            meanDelayMs: mean(waited.map(({ delayMs }) => delayMs)),
        };
    };
    const changed = (Object.keys(tried) as (keyof typeof tried)[]).flatMap((name) =>
        tried[name].map((value) => ({ name, value, ...pointOf({ ...numbers, [name]: value }) })),
    );
    return { kind, chosen: pointOf(numbers), changed };
}

/** Calculates a wait that shares no polls. A test compares the result with a real wait. */
export function waitAlone(
    schedule: ScheduleNumbers,
    durationMs: number,
    spread: number,
): { requests: number; delayMs: number } {
    let elapsed = 0;
    for (let requests = 1; ; requests++) {
        elapsed += nextPoll(elapsed, spread, schedule);
        const seenAt = elapsed + roundTripMs / 2;
        elapsed += roundTripMs;
        if (seenAt >= durationMs) {
            return { requests, delayMs: elapsed - durationMs };
        }
    }
}

/** The result of single waits with one duration. */
export interface ByDuration extends Point {
    readonly durationMs: number;
    /** The mean of delay divided by duration. */
    readonly partOfDuration: number;
}

/** Measures real waits for one service. */
export function measureByDuration(durationMs: number, runs: number): Promise<ByDuration> {
    return withWorld(1, async (world) => {
        const waited: Omit<ByDuration, "durationMs">[] = [];
        for (const [index, jobs] of runsAround(durationMs, runs).entries()) {
            const { delaysMs, requests } = await ours(world, jobs, index);
            const [delayMs = NaN] = delaysMs;
            waited.push({ meanDelayMs: delayMs, partOfDuration: delayMs / (jobs[0]?.durationMs ?? NaN), requests });
        }
        const meanOf = (key: keyof (typeof waited)[number]) => mean(waited.map((one) => one[key]));
        return {
            durationMs,
            meanDelayMs: meanOf("meanDelayMs"),
            partOfDuration: meanOf("partOfDuration"),
            requests: meanOf("requests"),
        };
    });
}

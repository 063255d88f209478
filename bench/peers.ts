import { roundTripMs, type Job, type Waited } from "./work";

/** A fixed schedule, with one request per resource for each poll. */
export interface Peer {
    readonly name: string;
    readonly firstMs: number;
    readonly thenMs: number;
}

/** The schedules of other tools. The last one is a simple schedule for comparison. */
export const peers: readonly Peer[] = [
    { name: "Terraform provider, 30 then 15 s", firstMs: 30_000, thenMs: 15_000 },
    { name: "command-line client, 1 s", firstMs: 0, thenMs: 1_000 },
    { name: "Neon provider, 0.1 s", firstMs: 0, thenMs: 100 },
    { name: "MongoDB Atlas provider, 30 s", firstMs: 30_000, thenMs: 30_000 },
    { name: "naive dynamic provider, p-retry 5 s", firstMs: 0, thenMs: 5_000 },
];

/** Calculates the result of a fixed schedule, which is faster than sending ten million requests. */
export function workOut({ firstMs, thenMs }: Peer, jobs: readonly Job[]): Waited {
    const halfWay = roundTripMs / 2;
    const polls = jobs.map(({ durationMs }) => {
        const until = durationMs - firstMs - halfWay;
        return until <= 0 ? 1 : Math.ceil(until / (thenMs + roundTripMs)) + 1;
    });
    const delaysMs = jobs.map(({ durationMs }, index) => {
        const last = firstMs + ((polls[index] ?? 1) - 1) * (thenMs + roundTripMs);
        return last + roundTripMs - durationMs;
    });
    return { delaysMs, requests: polls.reduce((sum, count) => sum + count, 0) };
}

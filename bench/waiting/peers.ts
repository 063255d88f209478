import { roundTripMs, type Job, type Waited } from "./work";

/** A fixed schedule, and a request a resource for each look. */
export interface Peer {
    readonly name: string;
    readonly firstMs: number;
    readonly thenMs: number;
}

/** What others do; the first four as they are in the field, the last as one would write it in an hour. */
export const peers: readonly Peer[] = [
    { name: "Terraform provider, 30 then 15 s", firstMs: 30_000, thenMs: 15_000 },
    { name: "command-line client, 1 s", firstMs: 0, thenMs: 1_000 },
    { name: "Neon provider, 0.1 s", firstMs: 0, thenMs: 100 },
    { name: "MongoDB Atlas provider, 30 s", firstMs: 30_000, thenMs: 30_000 },
    { name: "naive dynamic provider, p-retry 5 s", firstMs: 0, thenMs: 5_000 },
];

/**
 * What comes of a fixed schedule, worked out: nobody has to send ten million requests to know when they go out. That this
 * is what comes of real requests is checked in each run of the benchmark.
 */
export function workOut({ firstMs, thenMs }: Peer, jobs: readonly Job[]): Waited {
    const halfWay = roundTripMs / 2;
    const looks = jobs.map(({ durationMs }) => {
        const until = durationMs - firstMs - halfWay;
        return until <= 0 ? 1 : Math.ceil(until / (thenMs + roundTripMs)) + 1;
    });
    const delaysMs = jobs.map(({ durationMs }, index) => {
        const last = firstMs + ((looks[index] ?? 1) - 1) * (thenMs + roundTripMs);
        return last + roundTripMs - durationMs;
    });
    return { delaysMs, requests: looks.reduce((sum, count) => sum + count, 0) };
}

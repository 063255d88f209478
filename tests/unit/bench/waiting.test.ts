import { betterInBoth, type Cell } from "../../../bench/waiting/cells";
import { ours } from "../../../bench/waiting/contestants";
import { waitAlone } from "../../../bench/waiting/curves";
import { workOut } from "../../../bench/waiting/peers";
import { roundTripMs, runsOf } from "../../../bench/waiting/work";
import { startBenchWorld } from "../../../bench/waiting/world";
import { numbers } from "../../../provider/wait/schedule";
import { seeded } from "../../../bench/statistics";

test("a fixed schedule detects a change with the next poll", () => {
    const peer = { name: "a peer", firstMs: 1_000, thenMs: 950 };
    const job = (durationMs: number) => [{ beginsAt: 0, durationMs }];

    // Polls are sent at 1, 2, 3 … s and arrive half a round trip later.
    expect(workOut(peer, job(500))).toEqual({ delaysMs: [500 + roundTripMs], requests: 1 });
    expect(workOut(peer, job(2_025))).toEqual({ delaysMs: [roundTripMs / 2], requests: 2 });
    expect(workOut(peer, job(2_026))).toEqual({ delaysMs: [1_000 + roundTripMs / 2 - 1], requests: 3 });
});

test("the calculated waits of the curves match waits of the provider", async () => {
    const world = await startBenchWorld(1);
    try {
        const jobs = [{ beginsAt: 0, durationMs: 90_000 }];
        const real = await ours(world, jobs, 5);
        const alone = waitAlone(numbers, 90_000, seeded(5)());

        expect(real.requests).toBe(alone.requests);
        expect(real.delaysMs[0]).toBeCloseTo(alone.delayMs, 1);
    } finally {
        await world.close();
    }
});

test("the jobs of a cell are reproducible, cover the range evenly and begin within a second", () => {
    const runs = runsOf("short", 10, 10);
    const jobs = runs.flat();
    const durations = jobs.map(({ durationMs }) => durationMs).sort((a, b) => a - b);

    expect(runsOf("short", 10, 10)).toEqual(runs);
    expect(jobs.every(({ beginsAt }) => beginsAt >= 0 && beginsAt <= 1_000)).toBe(true);
    durations.forEach((duration, index) => {
        expect(duration).toBeGreaterThanOrEqual(5_000 + 150 * index);
        expect(duration).toBeLessThanOrEqual(5_000 + 150 * (index + 1));
    });
});

test("a peer is better only if both its delay and its requests are lower", () => {
    const row = (contestant: string, meanDelayMs: number, requests: number) => ({
        ...{ contestant, meanDelayMs, requests, p95DelayMs: 0 },
    });
    const rows = [row("sooner", 400, 11), row("cheaper", 501, 9), row("both", 499, 9)];
    const cell: Cell = { kind: "short", services: 1, ours: row("we", 500, 10), peers: rows, timesThoseForOne: 1 };

    expect(betterInBoth(cell).map(({ contestant }) => contestant)).toEqual(["both"]);
});

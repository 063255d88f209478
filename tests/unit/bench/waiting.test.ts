import { betterInBoth, type Cell } from "../../../bench/waiting/cells";
import { workOut } from "../../../bench/waiting/peers";
import { roundTripMs, runsOf } from "../../../bench/waiting/work";

test("a fixed schedule detects a change with the next poll", () => {
    const peer = { name: "a peer", firstMs: 1_000, thenMs: 950 };
    const job = (durationMs: number) => [{ beginsAt: 0, durationMs }];

    // Polls are sent at 1, 2, 3 … s and arrive half a round trip later.
    expect(workOut(peer, job(500))).toEqual({ delaysMs: [500 + roundTripMs], requests: 1 });
    expect(workOut(peer, job(2_025))).toEqual({ delaysMs: [roundTripMs / 2], requests: 2 });
    expect(workOut(peer, job(2_026))).toEqual({ delaysMs: [1_000 + roundTripMs / 2 - 1], requests: 3 });
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
    const row = (contestant: string, meanDelayMs: number, requests: number) => ({ contestant, meanDelayMs, requests });
    const rows = [row("sooner", 400, 11), row("cheaper", 501, 9), row("both", 499, 9)];
    const cell: Cell = { kind: "short", services: 1, ours: row("we", 500, 10), peers: rows, timesThoseForOne: 1 };

    expect(betterInBoth(cell).map(({ contestant }) => contestant)).toEqual(["both"]);
});

import { measureCell, type Cell } from "./cells";
import { ours, withServices, type Services } from "./contestants";
import { allKinds, mean, runsAround, textOf, type Job } from "./work";

/** The results on the virtual clock. They are reproducible. */
export interface Figures {
    readonly cells: readonly Cell[];
    readonly single: Single;
}

/** The largest mean delays of single waits: for durations up to a minute, and for longer ones as a part of the duration. */
interface Single {
    readonly shortDelayMs: number;
    readonly longPart: number;
}

const minute = 60_000;
const shortMs = [5_000, 10_000, 20_000, 40_000, 55_000];
const longMs = [2, 5, 10, 30, 120].map((minutes) => minutes * minute);

/** The number of runs by number of services. With more services, fewer runs are enough for a stable mean. */
const sizes = new Map([
    [1, 120],
    [10, 12],
    [100, 3],
    [1_000, 1],
]);

export async function measure(progress: (text: string) => void): Promise<Figures> {
    progress("one service, by duration");
    const single = await measureSingle(100);
    const cells: Cell[] = [];
    for (const [services, runs] of sizes) {
        for (const kind of allKinds) {
            progress(`${services} x ${textOf(kind)}`);
            cells.push(await measureCell(kind, services, runs));
        }
    }
    return { cells, single };
}

async function measureSingle(runs: number): Promise<Single> {
    const largest = async (durationsMs: readonly number[], of: (delayMs: number, durationMs: number) => number) => {
        const means: number[] = [];
        for (const about of durationsMs) {
            means.push(await withServices(1, (world) => meanOf(world, runsAround(about, runs), of)));
        }
        return Math.max(...means);
    };
    return {
        shortDelayMs: await largest(shortMs, (delayMs) => delayMs),
        longPart: await largest(longMs, (delayMs, durationMs) => delayMs / durationMs),
    };
}

async function meanOf(world: Services, jobs: readonly Job[], of: (delayMs: number, durationMs: number) => number) {
    const values: number[] = [];
    for (const [index, job] of jobs.entries()) {
        const [delayMs = NaN] = (await ours(world, [job], index)).delaysMs;
        values.push(of(delayMs, job.durationMs));
    }
    return mean(values);
}

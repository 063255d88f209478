import { largest, mean, quantile } from "../statistics";
import { ours, withRequests } from "./contestants";
import { peers, workOut } from "./peers";
import { allKinds, runsOf, textOf, type Job, type Kind, type Waited } from "./work";
import { startBenchWorld, type World } from "./world";

/** The result of one contestant in a cell. */
export interface Row {
    readonly contestant: string;
    readonly ours: boolean;
    readonly meanDelayMs: number;
    readonly p95DelayMs: number;
    /** The mean of all runs. */
    readonly requests: number;
    readonly requestsPerService: number;
}

/** A number of services at the same time, with durations of one kind. */
export interface Cell {
    readonly kind: Kind;
    readonly text: string;
    readonly services: number;
    readonly runs: number;
    readonly rows: readonly Row[];
    /** Our requests for all services, divided by the requests for the slowest of them alone. */
    readonly timesThoseForOne: number;
}

export const oursName = "this provider";

/** The number of runs for each number of services. */
export type Sizes = Readonly<Record<number, number>>;

/** Measures all cells. Calls `onCell` before each cell. */
export async function measureCells(sizes: Sizes, onCell: (text: string) => void): Promise<Cell[]> {
    const cells: Cell[] = [];
    for (const [services, runs] of Object.entries(sizes).map(([key, value]) => [Number(key), value] as const)) {
        const world = await startBenchWorld(services);
        try {
            for (const kind of allKinds) {
                onCell(`${services} x ${textOf(kind)}`);
                cells.push(await measureCell(world, kind, services, runs));
            }
        } finally {
            await world.close();
        }
    }
    return cells;
}

async function measureCell(world: World, kind: Kind, services: number, runs: number): Promise<Cell> {
    const work = runsOf(kind, services, runs);
    const mine: Waited[] = [];
    const alone: Waited[] = [];
    for (const [index, jobs] of work.entries()) {
        mine.push(await ours(world, jobs, index));
        if (services > 1) {
            // Several seeds, because the result of a single wait depends on chance.
            for (const seed of [1, 2, 3]) {
                alone.push(await ours(world, [longestOf(jobs)], 1_000 * seed + index));
            }
        }
    }
    const requestsOf = (waited: readonly Waited[]) => mean(waited.map(({ requests }) => requests));
    return {
        kind,
        text: textOf(kind),
        services,
        runs,
        rows: [
            rowOf(oursName, true, mine, services),
            ...peers.map((peer) =>
                rowOf(
                    peer.name,
                    false,
                    work.map((jobs) => workOut(peer, jobs)),
                    services,
                ),
            ),
        ],
        timesThoseForOne: services > 1 ? requestsOf(mine) / requestsOf(alone) : 1,
    };
}

function rowOf(contestant: string, isOurs: boolean, runs: readonly Waited[], services: number): Row {
    const delays = runs.flatMap(({ delaysMs }) => delaysMs);
    const requests = mean(runs.map((run) => run.requests));
    return {
        contestant,
        ours: isOurs,
        meanDelayMs: mean(delays),
        p95DelayMs: quantile(delays, 0.95),
        requests,
        requestsPerService: requests / services,
    };
}

/** A job that starts with the first job and ends with the last. */
function longestOf(jobs: readonly Job[]): Job {
    return { beginsAt: 0, durationMs: largest(jobs.map(({ beginsAt, durationMs }) => beginsAt + durationMs)) };
}

/** The peers whose delay is shorter and whose requests are fewer than ours in this cell. */
export function betterInBoth({ rows }: Cell): Row[] {
    const mine = rows.find((row) => row.ours);
    return rows.filter(
        (row) => mine && !row.ours && row.meanDelayMs < mine.meanDelayMs && row.requests < mine.requests,
    );
}

/** The number of services of each kind for the comparison of calculated and real requests. */
const sample: Readonly<Record<Kind, number>> = { short: 10, long: 1, mixed: 3 };

/** The largest difference between calculated and real requests of the peers, in milliseconds or requests. */
export async function errorOfArithmetic(kindsOfWork: readonly Kind[] = allKinds): Promise<number> {
    const world = await startBenchWorld(largest(Object.values(sample)));
    try {
        const errors: number[] = [];
        for (const kind of kindsOfWork) {
            const [jobs = []] = runsOf(kind, sample[kind], 1);
            for (const peer of peers) {
                const [real, arithmetic] = [await withRequests(world, jobs, peer), workOut(peer, jobs)];
                errors.push(Math.abs(real.requests - arithmetic.requests));
                errors.push(
                    ...real.delaysMs.map((delay, index) => Math.abs(delay - (arithmetic.delaysMs[index] ?? NaN))),
                );
            }
        }
        return largest(errors);
    } finally {
        await world.close();
    }
}

import { errorOfArithmetic, measureCell, type Cell } from "./cells";
import { measureByDuration, type ByDuration } from "./byDuration";
import { measureRejections } from "./rejections";
import { allKinds, textOf } from "./work";

/** The results on the virtual clock. They are reproducible. */
export interface WaitingFigures {
    readonly cells: readonly Cell[];
    readonly byDuration: readonly ByDuration[];
    readonly rejections: Awaited<ReturnType<typeof measureRejections>>;
    /** The largest difference between calculated and real requests of the peers; zero if the calculation is correct. */
    readonly errorOfArithmetic: number;
}

const [second, minute] = [1_000, 60_000];
const durationsMs = [
    ...[5, 10, 20, 40, 55].map((seconds) => seconds * second),
    ...[2, 5, 10, 30, 120].map((minutes) => minutes * minute),
];

/** The number of runs by number of services. With more services, fewer runs are enough for a stable mean. */
const sizes = new Map([
    [1, 120],
    [10, 12],
    [100, 3],
    [1_000, 1],
]);
const quickSizes = new Map([
    [1, 2],
    [10, 1],
]);

export async function measureWaiting(quick: boolean, progress: (text: string) => void): Promise<WaitingFigures> {
    progress("the calculated figures of the peers, compared with real requests");
    const error = await errorOfArithmetic(quick ? ["short"] : allKinds);
    progress("one service, by duration");
    const byDuration: ByDuration[] = [];
    for (const durationMs of durationsMs) {
        byDuration.push(await measureByDuration(durationMs, quick ? 1 : 100));
    }
    progress("changes that the API rejects for a while");
    const rejections = await measureRejections(quick ? 2 : 20);
    const cells: Cell[] = [];
    for (const [services, runs] of quick ? quickSizes : sizes) {
        for (const kind of allKinds) {
            progress(`${services} x ${textOf(kind)}`);
            cells.push(await measureCell(kind, services, runs));
        }
    }
    return { cells, byDuration, rejections, errorOfArithmetic: error };
}

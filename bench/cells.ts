import { ours, withServices } from "./contestants";
import { peers, workOut } from "./peers";
import { mean, runsOf, type Kind, type Waited } from "./work";

/** The result of one contestant in a cell: the mean delay of all waits, and the mean requests of a run. */
export interface Row {
    readonly contestant: string;
    readonly meanDelayMs: number;
    readonly requests: number;
}

/** A number of services at the same time, with durations of one kind. */
export interface Cell {
    readonly kind: Kind;
    readonly services: number;
    readonly ours: Row;
    readonly peers: readonly Row[];
    /** Our requests for all services, divided by the requests for the slowest of them alone. */
    readonly timesThoseForOne: number;
}

export async function measureCell(kind: Kind, services: number, runs: number): Promise<Cell> {
    const work = runsOf(kind, services, runs);
    return withServices(services, async (world) => {
        const together: Waited[] = [];
        const alone: Waited[] = [];
        for (const [index, jobs] of work.entries()) {
            together.push(await ours(world, jobs, index));
            const slowest = Math.max(...jobs.map(({ beginsAt, durationMs }) => beginsAt + durationMs));
            alone.push(await ours(world, [{ beginsAt: 0, durationMs: slowest }], index));
        }
        const mine = rowOf("this provider", together);
        return {
            kind,
            services,
            ours: mine,
            peers: peers.map((peer) =>
                rowOf(
                    peer.name,
                    work.map((jobs) => workOut(peer, jobs)),
                ),
            ),
            timesThoseForOne: mine.requests / rowOf("alone", alone).requests,
        };
    });
}

function rowOf(contestant: string, runs: readonly Waited[]): Row {
    return {
        contestant,
        meanDelayMs: mean(runs.flatMap(({ delaysMs }) => delaysMs)),
        requests: mean(runs.map(({ requests }) => requests)),
    };
}

/** The peers whose delay is shorter and whose requests are fewer than ours in this cell. */
export const betterInBoth = ({ ours: mine, peers: theirs }: Cell): Row[] =>
    theirs.filter(({ meanDelayMs, requests }) => meanDelayMs < mine.meanDelayMs && requests < mine.requests);

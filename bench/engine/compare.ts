import { median } from "../statistics";
import type { EngineRun, Stack } from "./stack";

/** The two sides of a comparison, each with a stack of its own. */
export interface Sides {
    readonly clouddb: Stack;
    readonly idler: Stack;
}

/** This provider beside one that does nothing; times are medians. */
export interface Comparison {
    readonly oursMs: number;
    readonly theirsMs: number;
    /** The median over all rounds of ours divided by theirs. */
    readonly ratio: number;
    /** The smallest and the largest of these. */
    readonly ratioRange: readonly [number, number];
    /** The most memory that the provider process ever had, in bytes. */
    readonly ourPeakBytes: number;
    readonly theirPeakBytes: number;
    /** Processor time of the provider process. */
    readonly ourCpuMs: number;
    readonly theirCpuMs: number;
}

/**
 * Lets both run in turns, with the other one first every second time: what else goes on in the computer meets both sides,
 * and each round's ratio is of two runs that were neighbours.
 */
export async function compare(
    sides: Sides,
    rounds: number,
    run: (stack: Stack) => Promise<EngineRun>,
): Promise<Comparison> {
    const ours: EngineRun[] = [];
    const theirs: EngineRun[] = [];
    for (let round = 0; round < rounds; round++) {
        if (round % 2 === 1) {
            theirs.push(await run(sides.idler));
        }
        ours.push(await run(sides.clouddb));
        if (round % 2 === 0) {
            theirs.push(await run(sides.idler));
        }
    }
    const ratios = ours.map(({ ms }, round) => ms / (theirs[round]?.ms ?? NaN));
    const peak = (runs: readonly EngineRun[]) => median(runs.map(({ probe }) => probe?.peakBytes ?? NaN));
    const cpu = (runs: readonly EngineRun[]) => median(runs.map(({ probe }) => probe?.cpuMs ?? NaN));
    return {
        oursMs: median(ours.map(({ ms }) => ms)),
        theirsMs: median(theirs.map(({ ms }) => ms)),
        ratio: median(ratios),
        ratioRange: [Math.min(...ratios), Math.max(...ratios)],
        ourPeakBytes: peak(ours),
        theirPeakBytes: peak(theirs),
        ourCpuMs: cpu(ours),
        theirCpuMs: cpu(theirs),
    };
}

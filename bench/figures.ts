import { measureEngine, type EngineFigures, type EngineSizes } from "./engine/measure";
import { tellRateStory, type RateStory } from "./engine/rate";
import type { Surroundings } from "./engine/stack";
import { errorOfArithmetic, measureCells, type Cell, type Sizes } from "./waiting/cells";
import { measureByDuration, measureTrade, type ByDuration, type Trade } from "./waiting/curves";

/** What was measured on the virtual clock; the same each time for the same code. */
export interface WaitingFigures {
    readonly cells: readonly Cell[];
    readonly byDuration: readonly ByDuration[];
    readonly trade: Trade;
    /** Between what was worked out for the peers and real requests; zero if all is well. */
    readonly errorOfArithmetic: number;
}

/** All figures of a run; a part that was not asked for is absent. */
export interface Figures {
    readonly quick: boolean;
    /** How much other work the computer had at the beginning: its load average over a minute. */
    readonly load: number;
    readonly waiting?: WaitingFigures;
    readonly engine?: EngineFigures & { readonly rate: RateStory };
}

type Say = (text: string) => void;

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const durationsMs = [
    ...[5, 10, 20, 40, 55].map((seconds) => seconds * second),
    ...[2, 5, 10, 30].map((minutes) => minutes * minute),
    2 * hour,
];

/** By number of services; the more of them in a run, the fewer runs give a steady mean. */
const sizes: Sizes = { 1: 120, 10: 12, 100: 3, 1_000: 1 };
const quickSizes: Sizes = { 1: 5, 10: 1 };

export async function measureWaiting(quick: boolean, say: Say): Promise<WaitingFigures> {
    say("what is worked out for peers against real requests");
    const error = await errorOfArithmetic();
    say("one service, by how long it takes");
    const byDuration = await measureByDuration(durationsMs, quick ? 3 : 100);
    const cells = await measureCells(quick ? quickSizes : sizes, say);
    return { cells, byDuration, trade: measureTrade("mixed"), errorOfArithmetic: error };
}

const engineSizes: EngineSizes = {
    ups: [1, 10, 100],
    upDurationMs: 10 * second,
    upRounds: 5,
    quiets: [100, 1_000],
    quietRounds: 5,
};
const quickEngineSizes: EngineSizes = { ups: [3], upDurationMs: 1 * second, upRounds: 1, quiets: [5], quietRounds: 1 };

const limited = { services: 100, perSecond: 5, durationMs: 10 * second };
const quickLimited = { services: 5, perSecond: 5, durationMs: 1 * second };

export async function measureWithEngine(
    surroundings: Surroundings,
    quick: boolean,
    say: Say,
): Promise<NonNullable<Figures["engine"]>> {
    const figures = await measureEngine(surroundings, quick ? quickEngineSizes : engineSizes, say);
    const how = quick ? quickLimited : limited;
    say(`up of ${how.services} services at ${how.perSecond} requests a second`);
    return { ...figures, rate: await tellRateStory(surroundings, how) };
}

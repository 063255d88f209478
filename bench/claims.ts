import type { Figures, WaitingFigures } from "./figures";
import { largest } from "./statistics";
import { betterInBoth } from "./waiting/cells";

/** Something that this provider promises, and what was measured. */
export interface Claim {
    readonly text: string;
    readonly figure: string;
    /** What the figure does not say in a few words. */
    readonly details?: readonly string[];
    /** Undefined where the runs were too few or too small to tell. */
    readonly holds: boolean | undefined;
    /** It depends neither on chance nor on the size of the runs, and is judged in short runs too. */
    readonly always?: true;
}

const minuteMs = 60_000;
const percent = (part: number) => `${(part * 100).toFixed(2)} %`;
const times = (ratio: number) => `${ratio.toFixed(2)} times`;

/** All that the figures can tell about. */
export function claimsOf({ waiting, engine, quick }: Figures): Claim[] {
    const claims = [...(waiting ? claimsOfWaiting(waiting) : []), ...(engine ? claimsOfEngine(engine) : [])];
    return claims.map((claim) => (quick && !claim.always ? { ...claim, holds: undefined } : claim));
}

function claimsOfWaiting({ byDuration, cells, errorOfArithmetic }: WaitingFigures): Claim[] {
    const short = byDuration.filter(({ durationMs }) => durationMs < minuteMs);
    const long = byDuration.filter(({ durationMs }) => durationMs >= minuteMs);
    const shortDelayMs = largest(short.map(({ meanDelayMs }) => meanDelayMs));
    const longPart = largest(long.map(({ partOfDuration }) => partOfDuration));
    const better = cells.flatMap((cell) =>
        betterInBoth(cell).map(({ contestant }) => `${contestant} is, at ${cell.services} x ${cell.text}`),
    );
    return [
        {
            text: "mean delay of what takes up to a minute: at most 0.5 s",
            figure: `${(shortDelayMs / 1_000).toFixed(2)} s at worst`,
            holds: shortDelayMs <= 500,
        },
        {
            text: "mean delay of what takes longer: at most 1 % of its duration",
            figure: `${percent(longPart)} at worst`,
            holds: longPart <= 0.01,
        },
        {
            text: "in no cell a peer is better in both delay and requests",
            figure: better.length === 0 ? "none is" : `${better.length} are`,
            details: better,
            holds: better.length === 0,
        },
        ...cellsOf(cells, 100, 1.2),
        ...cellsOf(cells, 1_000, 1.5),
        {
            text: "the peers' figures are those of real requests",
            figure: `off by ${errorOfArithmetic.toFixed(3)}`,
            holds: errorOfArithmetic < 0.01,
            always: true,
        },
    ];
}

function cellsOf(cells: WaitingFigures["cells"], services: number, most: number): Claim[] {
    const ratios = cells.filter((cell) => cell.services === services).map((cell) => cell.timesThoseForOne);
    return ratios.length === 0
        ? []
        : [
              {
                  text: `requests for ${services}: at most ${most} times those for the longest of them alone`,
                  figure: `${times(largest(ratios))} at worst`,
                  holds: largest(ratios) <= most,
              },
          ];
}

function claimsOfEngine({ ups, quiets, state, rate }: NonNullable<Figures["engine"]>): Claim[] {
    const up = ups.at(-1);
    const most = quiets.at(-1)?.resources;
    const memory = (up?.ourPeakBytes ?? NaN) / (ups[0]?.ourPeakBytes ?? NaN);
    const { cameUp, services, failedCalls, failure, mostRefusalsInARow, perSecond } = rate;
    return [
        {
            text: `up of ${up?.services ?? 0} services beside resources that only sleep: at most 1.10 times`,
            figure: times(up?.ratio ?? NaN),
            holds: up && up.ratio <= 1.1,
        },
        ...quiets
            .filter(({ resources }) => resources === most)
            .map(({ what, resources, ratio }) => ({
                text: `${what} of ${resources} beside a provider that does nothing: at most 1.15 times`,
                figure: times(ratio),
                holds: ratio <= 1.15,
            })),
        {
            text: `memory of ${up?.services ?? 0} services beside ${ups[0]?.services ?? 0}: at most 1.25 times`,
            figure: times(memory),
            holds: memory <= 1.25,
        },
        {
            text: "__provider: at most 256 bytes",
            figure: `${state.providerBytes} bytes`,
            holds: state.providerBytes <= 256,
            always: true,
        },
        {
            text: "state of a service: at most 4 KB",
            figure: `${state.bytesPerService} bytes`,
            holds: state.bytesPerService <= 4_096,
            always: true,
        },
        {
            text: `at ${perSecond} requests a second ${services} services come up and nothing fails`,
            figure: failure === undefined ? `${cameUp} came up, ${failedCalls} calls failed` : "pulumi up failed",
            holds: failure === undefined && cameUp === services && failedCalls === 0,
            always: true,
        },
        {
            text: "and no request is refused more than twice in a row",
            figure: `${mostRefusalsInARow} times at most`,
            holds: mostRefusalsInARow <= 2,
        },
    ];
}

import type { EngineFigures } from "./engine/measure";
import type { Figures } from "./main";
import { largest } from "./statistics";
import { betterInBoth } from "./waiting/cells";
import type { WaitingFigures } from "./waiting/measure";

/** A claim about this provider, and the measured figure. */
export interface Claim {
    readonly text: string;
    readonly figure: string;
    /** Undefined if the runs were too few or too small. */
    readonly holds: boolean | undefined;
}

/** `always`: the claim depends neither on chance nor on the size of the runs, so short runs judge it too. */
type Judged = readonly [text: string, figure: string, holds: boolean, always?: "always"];

const minuteMs = 60_000;
const times = (ratio: number) => `${ratio.toFixed(2)} times`;

export function claimsOf({ waiting, engine, quick }: Figures): Claim[] {
    const judged = [...(waiting ? claimsOfWaiting(waiting) : []), ...(engine ? claimsOfEngine(engine) : [])];
    return judged.map(([text, figure, holds, always]) => ({
        text,
        figure,
        holds: quick && !always ? undefined : holds,
    }));
}

function claimsOfWaiting({ byDuration, cells, errorOfArithmetic }: WaitingFigures): Judged[] {
    const isShort = ({ durationMs }: { durationMs: number }) => durationMs < minuteMs;
    const shortDelayMs = largest(byDuration.filter(isShort).map(({ meanDelayMs }) => meanDelayMs));
    const longPart = largest(byDuration.filter((one) => !isShort(one)).map(({ partOfDuration }) => partOfDuration));
    const better = cells.flatMap((cell) =>
        betterInBoth(cell).map(({ contestant }) => `${contestant} at ${cell.services} x ${cell.text}`),
    );
    const worstOf = (services: number) =>
        largest(cells.filter((cell) => cell.services === services).map((cell) => cell.timesThoseForOne));
    const limits = (
        [
            [100, 1.2],
            [1_000, 1.5],
        ] as const
    ).filter(([services]) => Number.isFinite(worstOf(services)));
    return [
        [
            "mean delay for durations up to a minute: at most 0.5 s",
            `${(shortDelayMs / 1_000).toFixed(2)} s at worst`,
            shortDelayMs <= 500,
        ],
        [
            "mean delay for longer durations: at most 1 % of the duration",
            `${(longPart * 100).toFixed(2)} % at worst`,
            longPart <= 0.01,
        ],
        ["no peer has both a shorter delay and fewer requests", better.join("; ") || "none", better.length === 0],
        ...limits.map(([services, most]): Judged => [
            `requests for ${services} services: at most ${most} times those for the slowest of them alone`,
            `${times(worstOf(services))} in the worst case`,
            worstOf(services) <= most,
        ]),
        [
            "the calculated figures of the peers match real requests",
            `off by ${errorOfArithmetic.toFixed(3)}`,
            errorOfArithmetic < 0.01,
            "always",
        ],
    ];
}

function claimsOfEngine({ ups, quiets, state, rate, hosts }: EngineFigures): Judged[] {
    const [first, last] = [ups[0], ups.at(-1)];
    const upRatio = last?.ratio ?? NaN;
    const memory = (last?.ourPeakBytes ?? NaN) / (first?.ourPeakBytes ?? NaN);
    const mostResources = quiets.at(-1)?.resources;
    const { cameUp, services, failure, mostRefusalsInARow, perSecond } = rate;
    return [
        [
            `up of ${last?.services ?? 0} services compared with resources that only sleep: at most 1.10 times`,
            times(upRatio),
            upRatio <= 1.1,
        ],
        ...quiets
            .filter(({ resources }) => resources === mostResources)
            .map(({ what, resources, ratio }): Judged => [
                `${what} of ${resources} resources compared with a provider that does nothing: at most 1.15 times`,
                times(ratio),
                ratio <= 1.15,
            ]),
        [
            `memory for ${last?.services ?? 0} services compared with ${first?.services ?? 0}: at most 1.25 times`,
            times(memory),
            memory <= 1.25,
        ],
        ["__provider: at most 256 bytes", `${state.providerBytes} bytes`, state.providerBytes <= 256, "always"],
        [
            "state of a service: at most 4 KB",
            `${state.bytesPerService} bytes`,
            state.bytesPerService <= 4_096,
            "always",
        ],
        [
            `at ${perSecond} requests per second, ${services} services become ready without an error`,
            failure ?? `${cameUp} are ready`,
            failure === undefined && cameUp === services,
            "always",
        ],
        ...hosts.cells
            .filter(({ command, resources }) => command === "preview without changes" && resources === mostResources)
            .flatMap(({ command, resources, nativeToDynamic, nativeToEmpty }): Judged[] => [
                [
                    `${command} of ${resources} resources with the native plugin: at most 0.85 times the dynamic provider`,
                    times(nativeToDynamic),
                    nativeToDynamic <= 0.85,
                ],
                [
                    `${command} of ${resources} resources with the native plugin: at most 1.10 times a plugin that does nothing`,
                    times(nativeToEmpty),
                    nativeToEmpty <= 1.1,
                ],
            ]),
        [
            "at this limit, no request is rejected more than twice in a row",
            `at most ${mostRefusalsInARow} times`,
            mostRefusalsInARow <= 2,
        ],
    ];
}

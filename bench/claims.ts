import type { Comparison, EngineFigures, SingleFigures } from "./engine/measure";
import type { Figures } from "./measure";
import { largest } from "./statistics";
import { betterInBoth } from "./waiting/cells";
import type { WaitingFigures } from "./waiting/measure";
import { textOf } from "./waiting/work";

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
const atMost = (text: string, ratio = NaN, limit = NaN): Judged => [
    `${text}: at most ${limit.toFixed(2)} times`,
    `${ratio.toFixed(2)} times`,
    ratio <= limit,
];

export function claimsOf({ waiting, engine, single, quick }: Figures): Claim[] {
    const judged = [
        ...(waiting ? claimsOfWaiting(waiting) : []),
        ...(engine ? claimsOfEngine(engine) : []),
        ...(single ? claimsOfSingle(single) : []),
    ];
    return judged.map(([text, figure, holds, always]) => ({
        text,
        figure,
        holds: quick && !always ? undefined : holds,
    }));
}

/** Nothing is sent while a read shows that the API would reject it. Otherwise, the pauses between the requests grow. */
function claimsOfRejections({ visible, hidden }: WaitingFigures["rejections"]): Judged[] {
    const most = largest(visible.map((one) => one.most));
    const delayMs = largest(visible.map(({ meanDelayMs }) => meanDelayMs));
    return [
        [
            "rejected requests of a change of a service that is busy for 20 s: at most 2",
            `${most} at worst`,
            most <= 2,
            "always",
        ],
        ["mean delay after that: at most 0.5 s", `${(delayMs / 1_000).toFixed(2)} s at worst`, delayMs <= 500],
        [
            "rejected requests in a minute, if only another request shows the end of the cause: at most 6",
            `${hidden.most} at worst`,
            hidden.most <= 6,
            "always",
        ],
        [
            "delay after that: at most 15 s",
            `${(hidden.longestDelayMs / 1_000).toFixed(1)} s at worst`,
            hidden.longestDelayMs <= 15_000,
            "always",
        ],
    ];
}

function claimsOfWaiting({ byDuration, cells, rejections, errorOfArithmetic }: WaitingFigures): Judged[] {
    const isShort = ({ durationMs }: { durationMs: number }) => durationMs < minuteMs;
    const shortDelayMs = largest(byDuration.filter(isShort).map(({ meanDelayMs }) => meanDelayMs));
    const longPart = largest(byDuration.filter((one) => !isShort(one)).map(({ partOfDuration }) => partOfDuration));
    const better = cells.flatMap((cell) =>
        betterInBoth(cell).map(({ contestant }) => `${contestant} at ${cell.services} x ${textOf(cell.kind)}`),
    );
    const limits = [
        [100, 1.2],
        [1_000, 1.5],
    ] as const;
    const forMany = limits.flatMap(([services, limit]) => {
        const ratios = cells.filter((cell) => cell.services === services).map((cell) => cell.timesThoseForOne);
        const text = `requests for ${services} services compared with the slowest of them alone`;
        return ratios.length > 0 ? [atMost(text, largest(ratios), limit)] : [];
    });
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
        ...forMany,
        ...claimsOfRejections(rejections),
        [
            "the calculated figures of the peers match real requests",
            `off by ${errorOfArithmetic.toFixed(3)}`,
            errorOfArithmetic < 0.01,
            "always",
        ],
    ];
}

function claimsOfEngine({ ups, quiets, hosts }: EngineFigures): Judged[] {
    const [first, last] = [ups.comparisons[0], ups.comparisons.at(-1)];
    const most = quiets.comparisons.at(-1)?.resources ?? NaN;
    const withMost = ({ resources }: Comparison) => resources === most;
    const memory = (last?.of.clouddb?.peakBytes ?? NaN) / (first?.of.clouddb?.peakBytes ?? NaN);
    const unchanged = hosts.comparisons.filter(withMost).find(({ command }) => command === "preview without changes");
    const native = `preview without changes, ${most} resources, native plugin compared with`;
    const ofSleepers = last?.of.idler?.ratio;
    const stateBytes = quiets.bytesPerService.clouddb ?? NaN;
    return [
        atMost(`up of ${last?.resources} services compared with resources that only sleep`, ofSleepers, 1.1),
        ...quiets.comparisons.filter(withMost).map(({ command, of }) => {
            const text = `${command}, ${most} resources, compared with a provider that does nothing`;
            return atMost(text, of.idler?.ratio, 1.15);
        }),
        atMost(`memory for ${last?.resources} services compared with ${first?.resources}`, memory, 1.25),
        ["__provider: at most 256 bytes", `${quiets.providerBytes} bytes`, quiets.providerBytes <= 256, "always"],
        ["state of a service: at most 4 KB", `${stateBytes} bytes`, stateBytes <= 4_096, "always"],
        atMost(`${native} the dynamic provider`, unchanged?.of.clouddb?.ratio, 1),
        atMost(`${native} a plugin that does nothing`, unchanged?.of.empty?.ratio, 1.1),
    ];
}

function claimsOfSingle({ previews, starts }: SingleFigures): Judged[] {
    const text = "plugin as a single file compared with the script for Node.js";
    return [
        atMost(`start, ${text}`, starts.ratio.ms, 1),
        atMost(`memory after the start, ${text}`, starts.ratio.bytes, 1.2),
        ...previews.comparisons.map(({ command, resources, of }) =>
            atMost(`${command}, ${resources} resources, ${text}`, of.native?.ratio, 1),
        ),
    ];
}

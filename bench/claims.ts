import type { Comparison, EngineFigures, SingleFigures } from "./engine/measure";
import type { Figures } from "./measure";
import { count, seconds, type Claim } from "./report";
import { largest } from "./statistics";
import { betterInBoth } from "./waiting/cells";
import type { WaitingFigures } from "./waiting/measure";
import { textOf } from "./waiting/work";

/** `always`: the claim depends neither on chance nor on the size of the runs, so short runs judge it too. */
type Judged = readonly [text: string, figure: string, holds: boolean, always?: "always" | undefined];

const minuteMs = 60_000;
const times = (value: number) => `${value.toFixed(2)} times`;
const percent = (part: number) => `${(part * 100).toFixed(2)} %`;
const bytes = (value: number) => `${count(value)} bytes`;

const atMost = (text: string, value = NaN, limit = NaN, shown = times, always?: "always"): Judged => [
    `${text}: at most ${shown(limit)}`,
    shown(value),
    value <= limit,
    always,
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
    // Nothing is sent while a read shows that the API would reject it. Otherwise, the pauses between the requests grow.
    const { visible, hidden, failing } = rejections;
    const most = largest(visible.map((one) => one.most));
    const delayMs = largest(visible.map(({ meanDelayMs }) => meanDelayMs));
    const inMinute = "rejected requests in a minute, if only another request shows the end of the cause";
    return [
        atMost("mean delay for durations up to a minute", shortDelayMs, 500, seconds),
        atMost("mean delay for longer durations, of the duration", longPart, 0.01, percent),
        ["no peer has both a shorter delay and fewer requests", better.join("; ") || "none", better.length === 0],
        ...forMany,
        atMost("rejected requests of a change of a service that is busy for 20 s", most, 2, count, "always"),
        atMost("mean delay after that", delayMs, 500, seconds),
        atMost(inMinute, hidden.most, 6, count, "always"),
        atMost("delay after that", hidden.longestDelayMs, 15_000, seconds, "always"),
        atMost("requests for a POST that always fails", failing, 15, count, "always"),
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
    return [
        atMost(`up of ${last?.resources} services compared with resources that only sleep`, ofSleepers, 1.1),
        ...quiets.comparisons.filter(withMost).map(({ command, of }) => {
            const text = `${command}, ${most} resources, compared with a provider that does nothing`;
            return atMost(text, of.idler?.ratio, 1.15);
        }),
        atMost(`memory for ${last?.resources} services compared with ${first?.resources}`, memory, 1.25),
        atMost("__provider", quiets.providerBytes, 256, bytes, "always"),
        atMost("state of a service", quiets.bytesPerService.clouddb, 4_096, bytes, "always"),
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

import type { Comparison, EngineFigures } from "./engine/measure";
import { count, seconds, type Claim, type Figures } from "./report";
import { betterInBoth } from "./waiting/cells";
import type { WaitingFigures } from "./waiting/measure";
import { textOf } from "./waiting/work";

const times = (value: number) => `${value.toFixed(2)} times`;
const percent = (part: number) => `${(part * 100).toFixed(2)} %`;
const bytes = (value: number) => `${count(value)} bytes`;

const atMost = (text: string, value = NaN, limit = NaN, shown = times): Claim => ({
    text: `${text}: at most ${shown(limit)}`,
    figure: shown(value),
    holds: value <= limit,
});

export const claimsOf = ({ waiting, engine }: Figures): Claim[] => [
    ...(waiting ? claimsOfWaiting(waiting) : []),
    ...(engine ? claimsOfEngine(engine) : []),
];

function claimsOfWaiting({ cells, single }: WaitingFigures): Claim[] {
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
        return ratios.length > 0 ? [atMost(text, Math.max(...ratios), limit)] : [];
    });
    return [
        atMost("mean delay for durations up to a minute", single.shortDelayMs, 500, seconds),
        atMost("mean delay for longer durations, of the duration", single.longPart, 0.01, percent),
        {
            text: "no peer has both a shorter delay and fewer requests",
            figure: better.join("; ") || "none",
            holds: better.length === 0,
        },
        ...forMany,
    ];
}

function claimsOfEngine({ ups, quiets, hosts }: EngineFigures): Claim[] {
    const last = ups.comparisons.at(-1);
    const most = quiets.comparisons.at(-1)?.resources ?? NaN;
    const withMost = ({ resources }: Comparison) => resources === most;
    const unchanged = hosts.comparisons.filter(withMost).find(({ command }) => command === "preview without changes");
    const ofSleepers = last?.of.idler?.ratio;
    return [
        atMost(`up of ${last?.resources} services compared with resources that only sleep`, ofSleepers, 1.1),
        ...quiets.comparisons.filter(withMost).map(({ command, of }) => {
            const text = `${command}, ${most} resources, compared with a provider that does nothing`;
            return atMost(text, of.idler?.ratio, 1.15);
        }),
        atMost("__provider", quiets.providerBytes, 256, bytes),
        atMost("state of a service", quiets.bytesPerService.clouddb, 4_096, bytes),
        atMost(
            `preview without changes, ${most} resources, native plugin compared with the dynamic provider`,
            unchanged?.of.clouddb?.ratio,
            1,
        ),
    ];
}

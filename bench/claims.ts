import { betterInBoth } from "./cells";
import type { Figures } from "./measure";
import { seconds, type Claim } from "./report";
import { textOf } from "./work";

const times = (value: number) => `${value.toFixed(2)} times`;
const percent = (part: number) => `${(part * 100).toFixed(2)} %`;

const atMost = (text: string, value: number, limit: number, shown: (value: number) => string): Claim => ({
    text: `${text}: at most ${shown(limit)}`,
    figure: shown(value),
    holds: value <= limit,
});

export function claimsOf({ cells, single }: Figures): Claim[] {
    const better = cells.flatMap((cell) =>
        betterInBoth(cell).map(({ contestant }) => `${contestant} at ${cell.services} x ${textOf(cell.kind)}`),
    );
    const forMany = (services: number, limit: number) => {
        const ratios = cells.filter((cell) => cell.services === services).map((cell) => cell.timesThoseForOne);
        const text = `requests for ${services} services compared with the slowest of them alone`;
        return atMost(text, Math.max(...ratios), limit, times);
    };
    return [
        atMost("mean delay for durations up to a minute", single.shortDelayMs, 500, seconds),
        atMost("mean delay for longer durations, of the duration", single.longPart, 0.01, percent),
        {
            text: "no peer has both a shorter delay and fewer requests",
            figure: better.join("; ") || "none",
            holds: better.length === 0,
        },
        forMany(100, 1.2),
        forMany(1_000, 1.5),
    ];
}

import { cpus, platform, release } from "node:os";
import type { Claim } from "./claims";
import type { EngineFigures } from "./engine/measure";
import type { Figures } from "./main";
import { allKinds, roundTripMs, textOf } from "./waiting/work";
import type { WaitingFigures } from "./waiting/measure";

/** The report as Markdown: what the command prints, and the page of the documentation. */
export function report(figures: Figures, claims: readonly Claim[]): string {
    const { waiting, engine, load } = figures;
    return [
        "# Benchmarks",
        "Written by `npm run bench -- --docs`: on a virtual clock, how soon each schedule notices that an operation is complete and how many requests it sends until then; with the real Pulumi engine, the cost of this provider compared with one that does nothing.",
        "![Delay against requests](benchmark.svg)",
        "## Claims",
        table(
            ["", "claim", "measured"],
            claims.map(({ holds, text, figure }) => [
                holds === undefined ? "-" : holds ? "PASS" : "FAIL",
                text,
                figure,
            ]),
        ),
        ...(waiting ? waitingSections(waiting) : []),
        ...(engine ? engineSections(engine) : []),
        "## Method",
        "All contestants wait for the same services in the same order, begun within a second of each other, at an emulator of the API on a virtual clock. Of this provider its own code is measured, from the schedule down to the HTTP client. The peers have fixed schedules, so their requests are calculated and not sent; for a small case they are also sent, and both must agree. The peers' own work is not counted, and the emulator does not slow down under load.",
        "With the engine the two sides run in turn, each in its own process, and the ratio is the median of the ratios of the rounds. `up` runs with `--skip-preview`: a preview would add the same time to both sides and hide a part of the difference.",
        `These figures: Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? "?"}, ${platform()} ${release()}, load average ${load.toFixed(1)} at the beginning.`,
    ].join("\n\n");
}

function waitingSections({ cells, byDuration, trade }: WaitingFigures): string[] {
    return [
        ...allKinds.flatMap((kind) => [
            `## Waiting for services, ${textOf(kind)}`,
            `From the change of state until it is noticed, and the requests until all are complete. Virtual time; a request takes ${roundTripMs} ms.`,
            table(
                ["services", "contestant", "mean delay", "95 %", "requests", "per service"],
                cells
                    .filter((cell) => cell.kind === kind)
                    .flatMap(({ services, rows }) =>
                        rows.map((row) => [
                            count(services),
                            row.contestant,
                            seconds(row.meanDelayMs),
                            seconds(row.p95DelayMs),
                            count(Math.round(row.requests)),
                            count(row.requestsPerService),
                        ]),
                    ),
            ),
        ]),
        "## Many services compared with one",
        "Our requests as a multiple of those for the service that takes longest, waited for alone.",
        table(
            ["services", ...allKinds.map(textOf)],
            [...new Set(cells.map(({ services }) => services))].map((services) => [
                count(services),
                ...allKinds.map((kind) =>
                    ratio(cells.find((cell) => cell.services === services && cell.kind === kind)?.timesThoseForOne),
                ),
            ]),
        ),
        "## One service, by duration",
        "Real waits of this provider, without knowledge of earlier waits; durations differ by up to a tenth.",
        table(
            ["duration", "mean delay", "of the duration", "requests"],
            byDuration.map(({ durationMs, meanDelayMs, partOfDuration, requests }) => [
                duration(durationMs),
                seconds(meanDelayMs),
                `${(partOfDuration * 100).toFixed(2)} %`,
                count(Math.round(requests)),
            ]),
        ),
        "## Other numbers for the schedule",
        `One service that waits alone, ${textOf(trade.kind)}; each row is the schedule with one number changed. The numbers in use send as few requests as possible and keep the mean delay below half a second up to a minute and below one per cent beyond, and no fixed schedule is better in both delay and requests.`,
        table(
            ["number", "value", "requests", "mean delay"],
            [
                ["in use", "", count(trade.chosen.requests), seconds(trade.chosen.meanDelayMs)],
                ...trade.curves.flatMap(({ name, points }) =>
                    points.map(({ value, requests, meanDelayMs }) => [
                        name,
                        name === "partOfElapsed" ? `${(value * 100).toFixed(2)} %` : seconds(value),
                        count(requests),
                        seconds(meanDelayMs),
                    ]),
                ),
            ],
        ),
    ];
}

function engineSections({ ups, quiets, state, rate }: EngineFigures): string[] {
    const comparison = ["ours", "theirs", "ratio", "of the rounds", "memory", "theirs", "CPU", "theirs"];
    const cellsOf = (cell: (typeof ups)[number] | (typeof quiets)[number]) => [
        seconds(cell.oursMs),
        seconds(cell.theirsMs),
        ratio(cell.ratio),
        cell.ratioRange.map(ratio).join("-"),
        megabytes(cell.ourPeakBytes),
        megabytes(cell.theirPeakBytes),
        seconds(cell.ourCpuMs),
        seconds(cell.theirCpuMs),
    ];
    const operations = [...new Set(ups.flatMap(({ requests }) => Object.keys(requests)))].sort();
    return [
        `## pulumi up of services that take ${seconds(ups[0]?.durationMs ?? NaN)} each`,
        "Compared with the same program whose dynamic resources only sleep as long. Memory and CPU are those of the provider process.",
        table(
            ["services", ...comparison],
            ups.map((cell) => [count(cell.services), ...cellsOf(cell)]),
        ),
        "## Requests of the last of these runs",
        table(
            ["services", ...operations],
            ups.map(({ services, requests }) => [services, ...operations.map((id) => requests[id] ?? 0)].map(count)),
        ),
        "## Preview of a new stack, and up without changes",
        "Compared with a dynamic provider that does nothing and gets the same inputs.",
        table(
            ["command", "resources", ...comparison],
            quiets.map((cell) => [cell.what, count(cell.resources), ...cellsOf(cell)]),
        ),
        "## State",
        `The largest of ${count(state.resources)} services has ${count(state.bytesPerService)} bytes, of which __provider has ${count(state.providerBytes)}.`,
        `## ${count(rate.services)} services at ${count(rate.perSecond)} requests a second`,
        rate.failure ??
            `${count(rate.cameUp)} came up in ${seconds(rate.ms)}. Of ${count(rate.requests)} requests ${count(rate.refused)} were refused, the same one at most ${count(rate.mostRefusalsInARow)} times in a row.`,
    ];
}

/** A table in Markdown; columns of numbers are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const isNumeric = (column: number) => rows.every((row) => /^(\d|$|NaN)/.test(row[column] ?? ""));
    const rule = head.map((_, column) => (isNumeric(column) ? "---:" : "---"));
    return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** `0.46 s`, `17.6 s`. */
export function seconds(ms: number): string {
    const value = ms / 1_000;
    return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

/** `5 s`, `30 min`, `2 h`. */
export function duration(ms: number): string {
    const s = ms / 1_000;
    return s < 60 ? `${s} s` : s < 3_600 ? `${s / 60} min` : `${s / 3_600} h`;
}

/** `0.28`, `13.4`, `6,926`. */
export function count(value: number): string {
    const digits = Number.isInteger(value) || value >= 100 ? 0 : value < 10 ? 2 : 1;
    return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const ratio = (value = NaN) => value.toFixed(2);
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

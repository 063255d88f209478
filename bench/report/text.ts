import type { Claim } from "../claims";
import type { Figures, WaitingFigures } from "../figures";
import { allKinds, roundTripMs, textOf } from "../waiting/work";
import { count, left, megabytes, right, roundDuration, seconds, table } from "./table";

/** A heading, a sentence or two, and a table. */
export interface Section {
    readonly title: string;
    readonly text: string;
    readonly lines: readonly string[];
}

/** All tables of a run. */
export function sectionsOf({ waiting, engine }: Figures): Section[] {
    return [...(waiting ? waitingSections(waiting) : []), ...(engine ? engineSections(engine) : [])];
}

function waitingSections({ cells, byDuration, trade }: WaitingFigures): Section[] {
    const columns = [
        right("services"),
        left("who waits"),
        right("mean delay"),
        right("95 %"),
        right("requests"),
        right("a service"),
    ];
    return [
        ...allKinds.map((kind) => ({
            title: `Waiting for services, ${textOf(kind)}`,
            text:
                "From the change of state to noticing it, and the requests until all were done. " +
                `Virtual time; a request takes ${roundTripMs} ms.`,
            lines: table(
                columns,
                cells
                    .filter((cell) => cell.kind === kind)
                    .flatMap(({ services, rows }, index) => [
                        ...(index === 0 ? [] : [[]]),
                        ...rows.map((row) => [
                            row.ours ? count(services) : "",
                            row.contestant,
                            seconds(row.meanDelayMs),
                            seconds(row.p95DelayMs),
                            count(Math.round(row.requests)),
                            count(row.requestsPerService),
                        ]),
                    ]),
            ),
        })),
        {
            title: "Many beside one",
            text: "Our requests as a multiple of those for the service that takes longest, waited for alone.",
            lines: table(
                [right("services"), ...allKinds.map((kind) => right(textOf(kind)))],
                [...new Set(cells.map(({ services }) => services))].map((services) => [
                    count(services),
                    ...allKinds.map((kind) =>
                        (
                            cells.find((cell) => cell.services === services && cell.kind === kind)?.timesThoseForOne ??
                            NaN
                        ).toFixed(2),
                    ),
                ]),
            ),
        },
        {
            title: "One service, by how long it takes (a tenth less to a tenth more)",
            text: "Real waits of this provider, with nothing learnt from others.",
            lines: table(
                [right("duration"), right("mean delay"), right("of the duration"), right("requests")],
                byDuration.map(({ durationMs, meanDelayMs, partOfDuration, requests }) => [
                    roundDuration(durationMs),
                    seconds(meanDelayMs),
                    `${(partOfDuration * 100).toFixed(2)} %`,
                    count(Math.round(requests)),
                ]),
            ),
        },
        {
            title: "Other numbers for the schedule",
            text:
                `One service that waits alone, ${textOf(trade.kind)}; each line is the schedule with one number changed. ` +
                "The numbers in use keep the mean delay below half a second up to a minute and below one in a hundred " +
                "beyond, and leave no fixed schedule that is better in both delay and requests; with that, they ask as little as they can.",
            lines: table(
                [left("number"), right("value"), right("requests"), right("mean delay")],
                [
                    ["in use", "", count(trade.chosen.requests), seconds(trade.chosen.meanDelayMs)],
                    ...trade.curves.flatMap(({ name, points }) => [
                        [],
                        ...points.map(({ value, requests, meanDelayMs }, index) => [
                            index === 0 ? name : "",
                            name === "partOfElapsed" ? `${(value * 100).toFixed(2)} %` : seconds(value),
                            count(requests),
                            seconds(meanDelayMs),
                        ]),
                    ]),
                ],
            ),
        },
    ];
}

function engineSections({ ups, quiets, state, rate }: NonNullable<Figures["engine"]>): Section[] {
    const compared = [right("ours"), right("theirs"), right("ratio"), right("of the rounds")];
    const costs = [right("memory"), right("theirs"), right("CPU"), right("theirs")];
    const cellsOf = (cell: (typeof ups)[number] | (typeof quiets)[number]) => [
        seconds(cell.oursMs),
        seconds(cell.theirsMs),
        cell.ratio.toFixed(2),
        cell.ratioRange.map((ratio) => ratio.toFixed(2)).join("-"),
        megabytes(cell.ourPeakBytes),
        megabytes(cell.theirPeakBytes),
        seconds(cell.ourCpuMs),
        seconds(cell.theirCpuMs),
    ];
    const operations = [...new Set(ups.flatMap(({ requests }) => Object.keys(requests)))].sort();
    return [
        {
            title: `pulumi up of services that take ${seconds(ups[0]?.durationMs ?? NaN)} each`,
            text: "Beside the same program with dynamic resources that only sleep as long. Memory and CPU are the provider process's.",
            lines: table(
                [right("services"), ...compared, ...costs],
                ups.map((cell) => [count(cell.services), ...cellsOf(cell)]),
            ),
        },
        {
            title: "Requests of these runs",
            text: "Of the last round.",
            lines: table(
                [right("services"), ...operations.map(right)],
                ups.map(({ services, requests }) => [
                    count(services),
                    ...operations.map((operation) => count(requests[operation] ?? 0)),
                ]),
            ),
        },
        {
            title: "Preview of a new stack, and up where nothing has changed",
            text: "Beside a dynamic provider that does nothing, of the same small shim and with the same inputs.",
            lines: table(
                [left("what"), right("resources"), ...compared, ...costs],
                quiets.map((cell) => [cell.what, count(cell.resources), ...cellsOf(cell)]),
            ),
        },
        {
            title: "State",
            text: "",
            lines: [
                `${count(state.bytesPerService)} bytes the largest of ${count(state.resources)} services, ` +
                    `${count(state.providerBytes)} of them __provider`,
            ],
        },
        {
            title: `${count(rate.services)} services at ${count(rate.perSecond)} requests a second`,
            text: "",
            lines: [
                `${count(rate.cameUp)} came up in ${seconds(rate.ms)}`,
                `${count(rate.requests)} requests, of which ${count(rate.refused)} were refused, ` +
                    `the same one ${count(rate.mostRefusalsInARow)} times in a row at most`,
                ...(rate.failure === undefined ? [] : [rate.failure]),
            ],
        },
    ];
}

/** A line for each claim, and below it what there is to explain. */
export function claimLines(claims: readonly Claim[]): string[] {
    return claims.flatMap(({ holds, text, figure, details = [] }) => {
        const verdict = holds === undefined ? "----" : holds ? "PASS" : "FAIL";
        return [`${verdict}  ${text}: ${figure}`, ...details.map((line) => `      ${line}`)];
    });
}

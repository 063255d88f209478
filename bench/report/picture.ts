import type { WaitingFigures } from "../figures";
import type { Row } from "../waiting/cells";
import type { Curve } from "../waiting/curves";
import { textOf, type Kind } from "../waiting/work";
import { plot, type Axis, type Dot, type Panel, type Series, type Side } from "./plot";
import { count } from "./table";

/** The kind of work that is drawn: it has something of all. */
const kind: Kind = "mixed";

/** Delay against requests: how it grows with the number of services, and what other numbers of the schedule would give. */
export function picture(figures: WaitingFigures): string {
    return plot("Delay against requests", [growth(figures), trade(figures)]);
}

const delayAxis: Axis = {
    title: "mean delay",
    from: 0.06,
    to: 30,
    ticks: [0.1, 0.3, 1, 3, 10, 30].map((at) => ({ at, label: `${at} s` })),
};

/** What a peer is called in the picture, and where that has room in each panel. */
interface Label {
    readonly text: string;
    readonly inGrowth: Side;
    readonly inTrade: Side;
}

const labels: Readonly<Record<string, Label>> = {
    "Terraform provider, 30 then 15 s": { text: "Terraform, 15 s", inGrowth: "below from here", inTrade: "right" },
    "command-line client, 1 s": { text: "command line, 1 s", inGrowth: "below from here", inTrade: "below" },
    "Neon provider, 0.1 s": { text: "Neon, 0.1 s", inGrowth: "above from here", inTrade: "left" },
    "MongoDB Atlas provider, 30 s": { text: "MongoDB Atlas, 30 s", inGrowth: "above from here", inTrade: "right" },
    "naive dynamic provider, p-retry 5 s": { text: "p-retry, 5 s", inGrowth: "below from here", inTrade: "left" },
};

const labelOf = (contestant: string): Label =>
    labels[contestant] ?? { text: contestant, inGrowth: "above from here", inTrade: "above" };

function growth({ cells }: WaitingFigures): Panel {
    const drawn = cells.filter((cell) => cell.kind === kind);
    const sizes = drawn.map(({ services }) => count(services));
    const series = (drawn[0]?.rows ?? []).map(({ contestant, ours }): Series => {
        const dots = drawn.flatMap(({ rows }) => rows.filter((row) => row.contestant === contestant).map(dotOf));
        const { text, inGrowth } = labelOf(contestant);
        return ours
            ? { style: "ours", dots: labelled(dots, -1, contestant, "right") }
            : { style: "peer", dots: labelled(dots, dots.length > 2 ? 1 : 0, text, inGrowth) };
    });
    return {
        title: `${sizes[0] ?? ""} to ${sizes.at(-1) ?? ""} services at the same time`,
        subtitle: `A dot each for ${sizes.join(", ")}; ${textOf(kind)}`,
        x: axisOfRequests("requests until all are done", 5, 1e7, [10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]),
        y: delayAxis,
        // Ours last, and thus above the others.
        series: series.reverse(),
    };
}

function trade({ cells, trade: { curves, chosen } }: WaitingFigures): Panel {
    const x = axisOfRequests("requests until it is done", 20, 500, [20, 50, 100, 200, 500]);
    const y = {
        ...delayAxis,
        from: 0.25,
        to: 10,
        ticks: [0.3, 0.5, 1, 2, 5, 10].map((at) => ({ at, label: `${at} s` })),
    };
    const isInside = (dot: Dot) => dot.x >= x.from && dot.x <= x.to && dot.y >= y.from && dot.y <= y.to;
    const alone = cells.find((cell) => cell.services === 1 && cell.kind === kind);
    const peers = alone?.rows.filter((row) => !row.ours && isInside(dotOf(row))) ?? [];
    return {
        title: "Other numbers for our schedule, 1 service",
        subtitle: `In use: the ring; ${textOf(kind)}`,
        x,
        y,
        series: [
            ...peers.map((row): Series => {
                const { text, inTrade } = labelOf(row.contestant);
                return { style: "peer", dots: labelled([dotOf(row)], 0, text, inTrade) };
            }),
            ...curves.map(({ name, points }): Series => ({
                style: curveStyles[name].style,
                dots: points.map(dotOf).filter(isInside),
            })),
            { style: "chosen", dots: [dotOf(chosen)] },
        ],
        legend: [
            ...curves.map(({ name, points }) => {
                const { style, text, unit } = curveStyles[name];
                return {
                    style,
                    text: `${text}: ${unit(points.at(-1)?.value ?? NaN)} to ${unit(points[0]?.value ?? NaN)}`,
                };
            }),
        ],
    };
}

const inSeconds = (ms: number) => `${ms / 1_000} s`;

/** How each curve is drawn, and what the number is that changes along it. */
const curveStyles: Readonly<
    Record<Curve["name"], { style: Series["style"]; text: string; unit: (value: number) => string }>
> = {
    partOfElapsed: { style: "ours", text: "part of the time waited", unit: (part) => `${part * 100} %` },
    youngLookMs: { style: "second", text: "looks while young", unit: inSeconds },
    longestLookMs: { style: "third", text: "looks at the latest", unit: inSeconds },
};

const dotOf = ({ requests, meanDelayMs }: Pick<Row, "requests" | "meanDelayMs">): Dot => ({
    x: requests,
    y: meanDelayMs / 1_000,
});

/** The dots with a label at one of them; -1 is the last. */
function labelled(dots: readonly Dot[], at: number, label: string, side: Side): Dot[] {
    const index = at < 0 ? dots.length + at : at;
    return dots.map((dot, each) => (each === index ? { ...dot, label, side } : dot));
}

function axisOfRequests(title: string, from: number, to: number, ticks: readonly number[]): Axis {
    const short = (value: number) =>
        value >= 1e6 ? `${value / 1e6} M` : value >= 1e4 ? `${value / 1e3} k` : count(value);
    return { title, from, to, ticks: ticks.map((at) => ({ at, label: short(at) })) };
}

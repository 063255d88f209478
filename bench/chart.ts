import type { TopLevelSpec } from "vega-lite";
import type { WaitingFigures } from "./waiting/measure";
import { textOf, type Kind } from "./waiting/work";

/** The durations of the drawn waits. */
const kind: Kind = "mixed";

/** Delay against requests, as SVG, with one point for each number of services. */
export async function chart(figures: WaitingFigures): Promise<string> {
    // They are ES modules with top-level await.
    const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
    const view = new vega.View(vega.parse(compile(specification(figures)).spec), { renderer: "none" });
    return `${await view.toSVG()}\n`;
}

function specification({ cells }: WaitingFigures): TopLevelSpec {
    const drawn = cells.filter((cell) => cell.kind === kind);
    const axis = { type: "quantitative", scale: { type: "log", nice: false, padding: 10 } } as const;
    return {
        background: "white",
        padding: 10,
        title: {
            text: "Services at the same time",
            subtitle: `One point each for ${drawn.map(({ services }) => services).join(", ")}; ${textOf(kind)}`,
            anchor: "start",
        },
        width: 480,
        height: 260,
        data: {
            values: drawn.flatMap(({ services, ours, peers }) => [ours, ...peers].map((row) => ({ ...row, services }))),
        },
        transform: [{ calculate: "datum.meanDelayMs / 1000", as: "delay" }],
        mark: { type: "line", point: true },
        encoding: {
            x: { ...axis, field: "requests", title: "requests until all are complete", axis: { format: "~s" } },
            y: { ...axis, field: "delay", title: "mean delay in seconds" },
            order: { field: "services", type: "quantitative" },
            color: {
                field: "contestant",
                type: "nominal",
                title: null,
                sort: null,
                legend: { orient: "bottom", columns: 2, labelLimit: 300 },
            },
        },
    };
}

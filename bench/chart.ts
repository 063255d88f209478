import type { TopLevelSpec } from "vega-lite";
import type { WaitingFigures } from "./waiting/measure";
import { textOf } from "./waiting/work";

/** Delay against requests, as SVG: by number of services, and for other numbers of our schedule. */
export async function chart(figures: WaitingFigures): Promise<string> {
    // They are ES modules with top-level await.
    const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
    const view = new vega.View(vega.parse(compile(specification(figures)).spec), { renderer: "none" });
    return `${await view.toSVG()}\n`;
}

function specification({ cells, trade }: WaitingFigures): TopLevelSpec {
    const drawn = cells.filter(({ kind }) => kind === trade.kind);
    const contestants = drawn.flatMap(({ services, ours, peers }) =>
        [ours, ...peers].map((row) => ({ ...row, series: row.contestant, order: services })),
    );
    const schedules = [
        ...trade.changed.map((point) => ({ ...point, series: point.name, order: point.value })),
        { ...trade.chosen, series: "in use", order: 0 },
    ];
    const sizes = drawn.map(({ services }) => services).join(", ");
    return {
        background: "white",
        padding: 10,
        hconcat: [
            panel(contestants, ["Services at the same time", `One point each for ${sizes}; ${textOf(trade.kind)}`]),
            panel(schedules, ["Other numbers for our schedule, 1 service", textOf(trade.kind)]),
        ],
        resolve: { scale: { color: "independent" } },
    };
}

type Panel = Extract<TopLevelSpec, { hconcat: unknown }>["hconcat"][number];

function panel(values: object[], [text, subtitle]: [string, string]): Panel {
    const axis = { type: "quantitative", scale: { type: "log", nice: false, padding: 10 } } as const;
    return {
        title: { text, subtitle, anchor: "start" },
        width: 380,
        height: 260,
        data: { values },
        transform: [{ calculate: "datum.meanDelayMs / 1000", as: "delay" }],
        mark: { type: "line", point: true },
        encoding: {
            x: { ...axis, field: "requests", title: "requests until all are complete", axis: { format: "~s" } },
            y: { ...axis, field: "delay", title: "mean delay in seconds" },
            order: { field: "order", type: "quantitative" },
            color: {
                ...{ field: "series", type: "nominal", title: null, sort: null },
                legend: { orient: "bottom", columns: 1, labelLimit: 300 },
            },
        },
    };
}

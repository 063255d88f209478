// A small writer of plots with two logarithmic axes, as SVG that is readable on light and on dark.

export interface Dot {
    readonly x: number;
    readonly y: number;
    readonly label?: string | undefined;
    /** Where the label stands; default above. */
    readonly side?: Side | undefined;
}

/** Above and below are centred, or begin at the dot. */
export type Side = "above" | "below" | "left" | "right" | "above from here" | "below from here";

export interface Series {
    readonly style: "ours" | "second" | "third" | "peer" | "chosen";
    /** Joined by a line where there is more than one. */
    readonly dots: readonly Dot[];
}

export interface Axis {
    readonly title: string;
    readonly from: number;
    readonly to: number;
    readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

export interface Panel {
    readonly title: string;
    readonly subtitle: string;
    readonly x: Axis;
    readonly y: Axis;
    readonly series: readonly Series[];
    /** What the styles stand for, in the lower left corner. */
    readonly legend?: readonly { readonly style: Series["style"]; readonly text: string }[];
}

const panelSize = { width: 490, height: 340 };
const margins = { left: 64, right: 22, top: 66, bottom: 52 };
const radius = { ours: 4, second: 3.5, third: 3.5, peer: 3, chosen: 7 };
const labelGap = 9;
const lineHeight = 18;

const css = `
text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
.title { font-weight: 600; font-size: 15px; }
.soft { fill: #59636e; }
.grid { stroke: #d1d9e0; stroke-width: 1; fill: none; }
.line { fill: none; stroke-width: 2; }
.ours { stroke: #0969da; fill: #0969da; }
.second { stroke: #bc4c00; fill: #bc4c00; }
.third { stroke: #1a7f37; fill: #1a7f37; }
.peer { stroke: #818b98; fill: #818b98; }
.chosen { stroke: #0969da; fill: none; stroke-width: 2.5; }
text.ours { fill: #0969da; stroke: none; font-weight: 600; }
text.second { fill: #bc4c00; stroke: none; }
text.third { fill: #1a7f37; stroke: none; }
text.peer { fill: #59636e; stroke: none; }
text.chosen { fill: #0969da; stroke: none; font-weight: 600; }
.line.ours, .line.second, .line.third, .line.peer { fill: none; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.soft { fill: #9198a1; }
.grid { stroke: #3d444d; }
.ours { stroke: #4493f8; fill: #4493f8; }
.second { stroke: #f0883e; fill: #f0883e; }
.third { stroke: #3fb950; fill: #3fb950; }
.peer { stroke: #9198a1; fill: #9198a1; }
.chosen { stroke: #4493f8; fill: none; }
text.ours, text.chosen { fill: #4493f8; }
text.second { fill: #f0883e; }
text.third { fill: #3fb950; }
text.peer { fill: #9198a1; }
}`;

/** Panels beside each other. */
export function plot(title: string, panels: readonly Panel[]): string {
    const width = panels.length * panelSize.width;
    const { height } = panelSize;
    const body = panels.map(
        (panel, index) => `<g transform="translate(${index * panelSize.width} 0)">\n${draw(panel)}\n</g>`,
    );
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
        `<title>${escape(title)}</title>`,
        `<style>${css}\n</style>`,
        ...body,
        "</svg>",
        "",
    ].join("\n");
}

function draw({ title, subtitle, x, y, series, legend = [] }: Panel): string {
    const [left, right] = [margins.left, panelSize.width - margins.right];
    const [top, bottom] = [margins.top, panelSize.height - margins.bottom];
    const toX = scale(x, left, right);
    const toY = scale(y, bottom, top);
    const middle = (left + right) / 2;
    return [
        text(left, 24, title, "title"),
        text(left, 24 + lineHeight, subtitle, "soft"),
        ...x.ticks.flatMap(({ at, label }) => [
            `<path class="grid" d="M${round(toX(at))} ${top}V${bottom}"/>`,
            text(toX(at), bottom + lineHeight, label, "soft", "middle"),
        ]),
        ...y.ticks.flatMap(({ at, label }) => [
            `<path class="grid" d="M${left} ${round(toY(at))}H${right}"/>`,
            text(left - labelGap, toY(at) + 4, label, "soft", "end"),
        ]),
        text(middle, panelSize.height - 12, x.title, "soft", "middle"),
        `<text class="soft" text-anchor="middle" transform="translate(16 ${round((top + bottom) / 2)}) rotate(-90)">${escape(y.title)}</text>`,
        ...legend.map(({ style, text: content }, index) =>
            text(left + labelGap, bottom - labelGap - (legend.length - 1 - index) * lineHeight, content, style),
        ),
        ...series.flatMap((one) => drawSeries(one, toX, toY)),
    ].join("\n");
}

type Scale = (value: number) => number;

function scale({ from, to }: Axis, start: number, end: number): Scale {
    const [low, high] = [Math.log(from), Math.log(to)];
    return (value) => start + ((Math.log(value) - low) / (high - low)) * (end - start);
}

function drawSeries({ style, dots }: Series, toX: Scale, toY: Scale): string[] {
    const path = dots.map(({ x, y }) => `${round(toX(x))} ${round(toY(y))}`).join("L");
    return [
        ...(dots.length > 1 ? [`<path class="line ${style}" d="M${path}"/>`] : []),
        ...dots.map(
            ({ x, y }) => `<circle class="${style}" cx="${round(toX(x))}" cy="${round(toY(y))}" r="${radius[style]}"/>`,
        ),
        ...dots.map(({ x, y, label, side = "above" }) =>
            label === undefined ? "" : drawLabel(toX(x), toY(y), label, side, style),
        ),
    ].filter((line) => line !== "");
}

function drawLabel(x: number, y: number, label: string, side: Side, style: Series["style"]): string {
    switch (side) {
        case "above":
            return text(x, y - labelGap, label, style, "middle");
        case "below":
            return text(x, y + lineHeight, label, style, "middle");
        case "above from here":
            return text(x, y - labelGap, label, style, "start");
        case "below from here":
            return text(x, y + lineHeight, label, style, "start");
        case "left":
            return text(x - labelGap, y + 4, label, style, "end");
        case "right":
            return text(x + labelGap, y + 4, label, style, "start");
    }
}

function text(x: number, y: number, content: string, style: string, anchor = "start"): string {
    return `<text class="${style}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escape(content)}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

const escape = (content: string) =>
    content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

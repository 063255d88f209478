import { claimsOf } from "../../../bench/claims";
import type { Figures } from "../../../bench/figures";
import { page } from "../../../bench/report/page";
import { picture } from "../../../bench/report/picture";
import { plot } from "../../../bench/report/plot";
import { count, fold, left, right, roundDuration, seconds, table } from "../../../bench/report/table";
import { claimLines, sectionsOf } from "../../../bench/report/text";
import { parseArguments, UsageError } from "../../../bench/arguments";
import { figures } from "./figures";

test("the columns of a table are as wide as their widest cell", () => {
    expect(table([left("who"), right("n")], [["we", "1"], [], ["the others", "1,000"]])).toEqual([
        "who             n",
        "----------  -----",
        "we              1",
        "",
        "the others  1,000",
    ]);
});

test.each([
    [seconds(456), "0.46 s"],
    [seconds(17_560), "17.6 s"],
    [count(0.284), "0.28"],
    [count(13.36), "13.4"],
    [count(10), "10"],
    [count(6_926.3), "6,926"],
    [roundDuration(300_000), "5 min"],
    [roundDuration(7_200_000), "2 h"],
])("figures are short: %s", (shown, expected) => {
    expect(shown).toBe(expected);
});

test("text is folded between words", () => {
    const lines = fold("word ".repeat(50).trim());

    expect(lines.join(" ")).toBe("word ".repeat(50).trim());
    expect(lines.map(({ length }) => length)).toEqual([99, 99, 49]);
});

test("no line of the report is longer than a terminal of 100 columns shows", () => {
    const lines = sectionsOf(figures).flatMap((section) => section.lines.map((line) => `  ${line}`));

    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(claimLines(claimsOf(figures)).filter((line) => line.length > 100)).toEqual([]);
});

test("each claim is judged by its figure", () => {
    const verdicts = (of: Figures) => claimsOf(of).map(({ holds }) => holds);

    expect(verdicts(figures)).toEqual(Array.from({ length: 14 }, () => true));
    expect(verdicts(slower(figures)).filter((holds) => holds === false)).toHaveLength(2);
});

test("a claim that peers break names them", () => {
    expect(claimLines(claimsOf(slower(figures)))).toContain("      Neon provider, 0.1 s is, at 1 x short (5-20 s)");
});

test("a short run judges only what does not depend on its size", () => {
    expect(claimsOf({ ...figures, quick: true }).flatMap(({ holds, text }) => (holds ? [text] : []))).toEqual([
        "the peers' figures are those of real requests",
        "__provider: at most 256 bytes",
        "state of a service: at most 4 KB",
        "at 5 requests a second 100 services come up and nothing fails",
    ]);
});

test("the picture is an SVG that follows the reader's colours and has each contestant in it", () => {
    const svg = picture(needed(figures.waiting));

    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
    expect(svg).toContain(">this provider</text>");
    expect(svg).toContain(">Neon, 0.1 s</text>");
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test("a logarithmic axis puts each power of ten at the same distance, and text cannot break out of its element", () => {
    const axis = { title: "<x>", from: 1, to: 100, ticks: [] };
    const dots = [1, 10, 100].map((value) => ({ x: value, y: value }));
    const svg = plot("a & b", [{ title: "", subtitle: "", x: axis, y: axis, series: [{ style: "peer", dots }] }]);
    const at = [...svg.matchAll(/cx="([\d.]+)"/g)].map(([, x]) => Number(x));

    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeCloseTo((at[1] ?? 0) - (at[0] ?? 0));
    expect(svg).toContain("a &amp; b");
    expect(svg).toContain("&lt;x&gt;");
});

test("the page has the picture, every claim and every table", () => {
    const sections = sectionsOf(figures);
    const text = page(sections, claimsOf(figures), 0.1);

    expect(text).toContain("](benchmark.svg)");
    expect(text.match(/^PASS /gm)).toHaveLength(14);
    for (const { title } of sections) expect(text).toContain(`## ${title}\n`);
});

test("arguments that cannot be meant are refused", () => {
    expect(() => parseArguments(["--fast"])).toThrow(UsageError);
    expect(() => parseArguments(["--only", "nothing"])).toThrow("--only is waiting or engine");
    expect(() => parseArguments(["--docs", "--quick"])).toThrow("--docs needs all of the figures");
    expect(parseArguments(["--only", "waiting", "--json", "f"])).toMatchObject({ part: "waiting", json: "f" });
});

function slower(of: Figures): Figures {
    const waiting = needed(of.waiting);
    return {
        ...of,
        waiting: {
            ...waiting,
            byDuration: waiting.byDuration.map((one) => ({ ...one, meanDelayMs: one.meanDelayMs + 200 })),
            cells: waiting.cells.map((cell, index) => ({
                ...cell,
                rows: cell.rows.map((row) => (row.ours && index === 0 ? { ...row, requests: 1e6 } : row)),
            })),
        },
    };
}

function needed<T>(value: T | undefined): T {
    if (value === undefined) throw new Error("It is not there.");
    return value;
}

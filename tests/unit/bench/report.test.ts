import { claimsOf } from "../../../bench/claims";
import { parse } from "../../../bench/main";
import type { Figures } from "../../../bench/measure";
import { count, report, seconds, table } from "../../../bench/report";
import { figures } from "./figures";

test("numeric columns of a table are aligned to the right", () => {
    expect(
        table(
            ["who", "n"],
            [
                ["we", "1"],
                ["the others", "1,000"],
                ["none", ""],
            ],
        ),
    ).toBe("| who | n |\n| --- | ---: |\n| we | 1 |\n| the others | 1,000 |\n| none |  |");
});

test.each([
    [seconds(456), "0.46 s"],
    [seconds(17_560), "17.6 s"],
    [count(0.284), "0.28"],
    [count(13.36), "13.4"],
    [count(10), "10"],
    [count(6_926.3), "6,926"],
])("figures have few digits: %s", (shown, expected) => {
    expect(shown).toBe(expected);
});

test("a claim holds or fails by its figure", () => {
    const verdicts = (of: Figures) => claimsOf(of).map(({ holds }) => holds);

    expect(verdicts(figures)).toEqual(Array.from({ length: 22 }, () => true));
    expect(verdicts(slower(figures)).filter((holds) => holds === false)).toHaveLength(2);
});

test("a failed claim about the peers names the better peer", () => {
    const broken = slower(figures);
    expect(report(broken, claimsOf(broken))).toContain("Neon provider, 0.1 s at 1 x short (5-20 s)");
});

test("a short run judges only claims that do not depend on its size", () => {
    expect(claimsOf({ ...figures, quick: true }).flatMap(({ holds, text }) => (holds ? [text] : []))).toEqual([
        "rejected requests of a change of a service that is busy for 20 s: at most 2",
        "rejected requests in a minute, if only another request shows the end of the cause: at most 6",
        "delay after that: at most 15.0 s",
        "requests for a POST that always fails: at most 15",
        "the calculated figures of the peers match real requests",
        "__provider: at most 256 bytes",
        "state of a service: at most 4,096 bytes",
    ]);
});

test("the page has the chart, every claim and no missing figure", () => {
    const text = report(figures, claimsOf(figures));

    expect(text).toContain("](benchmark.svg)");
    expect(text.match(/^- PASS: /gm)).toHaveLength(22);
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
});

test("invalid options are rejected", () => {
    for (const args of [["--fast"], ["--only", "nothing"], ["--docs", "--quick"], ["--docs", "--only", "engine"]]) {
        expect(parse(args)).toBeUndefined();
    }
    expect(parse(["--only", "waiting", "--svg", "f"])).toMatchObject({ only: "waiting", svg: "f" });
});

function slower(of: Figures): Figures {
    const { waiting } = of;
    if (!waiting) {
        throw new Error("The figures of the waits are missing.");
    }
    return {
        ...of,
        waiting: {
            ...waiting,
            byDuration: waiting.byDuration.map((one) => ({ ...one, meanDelayMs: one.meanDelayMs + 200 })),
            cells: waiting.cells.map((cell, index) => ({
                ...cell,
                ours: { ...cell.ours, ...(index === 0 && { requests: 1e6 }) },
            })),
        },
    };
}

import { base, contestantsOf, dynamicHost } from "../../../bench/engine/contestants";
import {
    engineClaims,
    engineSection,
    engineSectionsIn,
    withEngineSection,
    type Conditions,
    type Rounds,
} from "../../../bench/engine/figures";
import { allCommands, type Series } from "../../../bench/engine/series";
import { read } from "../../support/documents";

const idle: Conditions = { services: 200, cores: 2, node: "22.0.0", pulumi: "3.250.0", loadBefore: 0.1, loadAfter: 2 };
const contestants = contestantsOf("/work/here", ["/work/there"]);

/** A series in which each command takes as long. */
const series = (seconds: number, requests = 0): Series =>
    Object.fromEntries(allCommands.map((command) => [command, { seconds, requests }])) as Series;

/** A round in which all take as long, with other times of the base and of this provider. */
const round = (ofBase: number, ofOurs: number): Rounds[number] => ({
    ...Object.fromEntries(contestants.map(({ name }) => [name, series(ofOurs, 7)])),
    [base]: series(ofBase),
});
const held = (rounds: Rounds, conditions = idle) =>
    engineClaims(rounds, conditions).map(({ holds, text }) => [text.split(" of ")[0], holds]);

test("a claim compares the median of the rounds, each with the base of the same round", () => {
    const all = (holds: boolean) => allCommands.map((command) => [command, holds]);
    expect(held([round(10, 10.4)])).toEqual(all(true));
    expect(held([round(10, 26.1)])).toEqual(all(false));
    // The computer was slow in the second round, and something disturbed the third one.
    expect(held([round(10, 10.4), round(30, 31), round(10, 90)])).toEqual(all(true));
    expect(Object.fromEntries(held([round(10, 12)]))).toMatchObject({ up: true, preview: false, destroy: true });
    expect(Object.fromEntries(held([round(10, 12)], { ...idle, services: 1000 }))).toMatchObject({ up: false });
});

test("there is no claim for a busy computer, and for a number of services without limits", () => {
    for (const [conditions, text] of [
        [{ ...idle, loadBefore: 0.6 }, "The load of the computer was above 0.5 at the start, so there is no claim."],
        [{ ...idle, services: 5 }, "There is no claim for this number of services."],
    ] as const) {
        expect(engineClaims([round(10, 90)], conditions)).toEqual([]);
        expect(engineSection(contestants, [round(10, 90)], conditions)).toContain(text);
    }
});

test("the section has seconds, ratios and requests of each contestant, and the conditions", () => {
    const section = engineSection(contestants, [round(10, 12), round(20, 22)], idle);
    expect(section).toContain(`| ${base} | ${allCommands.map(() => "15.0 (1.00 x)").join(" | ")} |`);
    for (const name of [dynamicHost, "this provider, plugin", "there", "there, plugin"]) {
        expect(section).toContain(`| ${name} | ${allCommands.map(() => "17.0 (1.15 x)").join(" | ")} |`);
        expect(section).toContain(`| ${name} | ${allCommands.map(() => "7").join(" | ")} |`);
    }
    expect(section).toContain("- FAIL: preview of 200 services: at most 1.05 x");
    expect(section).toMatch(/2 cores with Node.js 22.0.0 and Pulumi 3.250.0. .* 0.10 before, 2.00 after/);
});

test("a section replaces the one for the same number of services, and stays when the rest of the page is written again", () => {
    const page = read("docs/benchmarks.md");
    const sectionOf = (services: number, seconds: number) =>
        engineSection(contestants, [round(10, seconds)], { ...idle, services });
    const numbers = (text: string) => engineSectionsIn(text).map((one) => /^## ([\d,]+)/.exec(one)?.[1]);
    const both = withEngineSection(withEngineSection(page, sectionOf(1000, 11)), sectionOf(200, 11));
    expect(numbers(both).slice(-2)).toEqual(["200", "1,000"]);
    const again = withEngineSection(both, sectionOf(200, 12));
    expect(numbers(again)).toEqual(numbers(both));
    expect(again).toContain("12.0 (1.20 x)");
    expect(again.match(/^## 200 services/gm)).toHaveLength(1);
    expect(again).toContain("## Method");
});

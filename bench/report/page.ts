import { cpus, platform, release } from "node:os";
import type { Claim } from "../claims";
import { claimLines, type Section } from "./text";

/** The page of the documentation, as Markdown. */
export function page(sections: readonly Section[], claims: readonly Claim[], load: number): string {
    const fenced = (lines: readonly string[]) => ["```text", ...lines, "```", ""];
    return [
        "# Benchmarks",
        "",
        "Written by `npm run bench -- --docs`, which measures all of this anew: on a virtual clock how soon each schedule notices that something is done and what it asks for that, with the real Pulumi engine what this provider costs beside one that does nothing.",
        "",
        "![Delay against requests](benchmark.svg)",
        "",
        "## What it shows",
        "",
        ...fenced(claimLines(claims)),
        ...sections.flatMap(({ title, text, lines }) => [
            `## ${title}`,
            "",
            ...(text === "" ? [] : [text, ""]),
            ...fenced(lines),
        ]),
        "## How it is measured",
        "",
        "All who wait get the same services in the same order, begun within a second of each other, at an emulator of the API on a virtual clock. What is measured of this provider is its own code, from the schedule down to the HTTP client. The peers' schedules are fixed, so their requests are worked out and not sent; for a small case they are also sent, and both must agree. The peers' own work beside waiting is not counted, and the emulator does not slow anyone down, however many requests come.",
        "",
        "With the engine the two sides run in turns, each in a process of its own on this computer, and the ratio is the median of the ratios of the rounds. `up` is run with `--skip-preview`: with it both sides would take longer by the same time and the difference would look smaller.",
        "",
        `These figures: Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? "?"}, ${platform()} ${release()}, load average ${load.toFixed(1)} at the beginning.`,
        "",
    ].join("\n");
}

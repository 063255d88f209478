import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chart } from "./chart";
import { claimsOf } from "./claims";
import type { Surroundings } from "./engine/stack";
import { measure } from "./measure";
import { report } from "./report";

const help = `Usage: npm run bench [-- OPTIONS]

Compares the polling schedule of this provider with the schedules of other tools: the delay
until the end of an operation is detected, and the number of requests. With the real Pulumi
engine, compares its cost with a provider that does nothing. Prints tables, and whether each
claim holds. The exit code is 1 if a claim fails. Takes about half an hour on two idle cores. On
a busy machine, the times with the engine are not reliable.

  --only PART   waiting (virtual time, about two minutes, same figures each time), engine, or
                single (the plugin as a single file, about two minutes)
  --quick       small runs, less than a minute; does not judge claims about times
  --svg FILE    write the chart of delay against requests
  --docs        write docs/benchmarks.md and docs/benchmark.svg
  --help        show this text
`;

const [ok, failed, misused] = [0, 1, 2];

/** `npm run bench`, in the folder of the repository; returns its exit code. The engine and the plugin are installed if needed. */
export async function bench(
    args: readonly string[],
    root: string,
    surroundings: () => Promise<Surroundings>,
): Promise<number> {
    const options = parse(args);
    if (options === undefined) {
        process.stderr.write("bench: invalid options. Try --help.\n");
        return misused;
    }
    if (options.help) {
        process.stdout.write(help);
        return ok;
    }
    const { format } = await import("prettier");
    const figures = await measure(options, surroundings);
    const claims = claimsOf(figures);
    const page = await format(report(figures, claims), { parser: "markdown" });
    process.stdout.write(page);
    const svg = options.docs ? join(root, "docs", "benchmark.svg") : options.svg;
    if (svg && figures.waiting) {
        writeFileSync(svg, await chart(figures.waiting));
    }
    if (options.docs) {
        writeFileSync(join(root, "docs", "benchmarks.md"), page);
    }
    return claims.some(({ holds }) => holds === false) ? failed : ok;
}

/** Undefined if they are invalid; --docs needs all figures. */
export function parse(args: readonly string[]) {
    const [flag, text] = [{ type: "boolean" }, { type: "string" }] as const;
    const options = { help: flag, quick: flag, docs: flag, only: text, svg: text };
    try {
        const { values } = parseArgs({ args: [...args], options });
        const valid =
            [undefined, "waiting", "engine", "single"].includes(values.only) &&
            !(values.docs && (values.quick ?? values.only));
        return valid ? values : undefined;
    } catch {
        return undefined;
    }
}

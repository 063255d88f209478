import { parseArgs } from "node:util";

/** What is asked of the benchmark. */
export interface Arguments {
    readonly help: boolean;
    /** Few and small runs: whether it works at all. */
    readonly quick: boolean;
    readonly part: "all" | "waiting" | "engine";
    readonly json: string | undefined;
    readonly svg: string | undefined;
    /** Writes the page and the picture of the documentation. */
    readonly docs: boolean;
}

/** An argument that cannot be meant. */
export class UsageError extends Error {}

export const help = `Usage: npm run bench [-- OPTIONS]

Measures how soon this provider notices that something is done and what it asks for that,
beside the schedules of others; and with the real Pulumi engine what it costs beside a provider
that does nothing. Prints tables and whether each claim holds; ends with 1 if one does not. Takes
about a quarter of an hour on two cores that have nothing else to do; with other work going on,
the times with the engine are noise.

  --only PART   waiting (virtual time, about two minutes, the same figures each time) or engine
  --quick       small runs, less than a minute: shows that it works; times are not judged
  --json FILE   all figures
  --svg FILE    the picture of delay against requests
  --docs        write docs/benchmarks.md and docs/benchmark.svg anew
  --help        this text`;

export function parseArguments(argv: readonly string[]): Arguments {
    const options = {
        help: { type: "boolean" },
        quick: { type: "boolean" },
        only: { type: "string" },
        json: { type: "string" },
        svg: { type: "string" },
        docs: { type: "boolean" },
    } as const;
    const { values } = parse(() => parseArgs({ args: [...argv], options, strict: true }));
    const { only: part = "all", docs = false, quick = false } = values;
    if (part !== "all" && part !== "waiting" && part !== "engine") {
        throw new UsageError(`--only is waiting or engine, not "${part}".`);
    }
    if (docs && (quick || part !== "all")) {
        throw new UsageError("--docs needs all of the figures; it does not go with --quick or --only.");
    }
    return { help: values.help ?? false, quick, part, json: values.json, svg: values.svg, docs };
}

function parse<T>(work: () => T): T {
    try {
        return work();
    } catch (error) {
        throw new UsageError((error as Error).message.split("\n")[0]);
    }
}

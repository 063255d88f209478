import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claimsOf } from "./claims";
import { measureWithEngine } from "./engine/measure";
import type { Surroundings } from "./engine/stack";
import { report } from "./report";
import { measureWaiting } from "./waiting/measure";

const help = `Usage: npm run bench [-- OPTIONS]

Compares the polling schedule of this provider with the schedules of other tools: the delay
until the end of an operation is detected, and the number of requests. With the real Pulumi
engine, compares its cost with a provider that does nothing. Prints tables, and whether each
claim holds. The exit code is 1 if a claim fails. Takes about half an hour on two idle cores. On
a busy machine, the times with the engine are not reliable.

  --only PART   waiting (virtual time, about two minutes, same figures each time), or engine
  --docs        write docs/benchmarks.md
  --help        show this text
`;

const [ok, failed, misused] = [0, 1, 2];
/** With a higher load per processor, the times of two successive runs differ too much. */
const busyLoad = 0.5;

/** `npm run bench`, in the folder of the repository; returns its exit code. The engine is installed if needed. */
export async function bench(
    args: readonly string[],
    root: string,
    surroundings: () => Promise<Surroundings>,
): Promise<number> {
    const options = parse(args);
    if (options === undefined || options.help) {
        process.stdout.write(help);
        return options ? ok : misused;
    }
    const { only, docs } = options;
    const began = Date.now();
    const progress = (text: string) => {
        process.stderr.write(`bench   ${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${text}\n`);
    };
    const [load = 0] = loadavg();
    if (only !== "waiting" && load > cpus().length * busyLoad) {
        progress(`this machine is busy (load ${load.toFixed(1)}): times with the engine are not reliable`);
    }
    const figures = {
        load,
        ...(only !== "engine" && { waiting: await measureWaiting(progress) }),
        ...(only !== "waiting" && { engine: await measureWithEngine(await surroundings(), progress) }),
    };
    const claims = claimsOf(figures);
    const { format } = await import("prettier");
    const page = await format(report(figures, claims), { parser: "markdown" });
    process.stdout.write(page);
    if (docs) {
        writeFileSync(join(root, "docs", "benchmarks.md"), page);
    }
    return claims.some(({ holds }) => !holds) ? failed : ok;
}

/** Undefined if they are invalid; --docs needs all figures. */
function parse(args: readonly string[]) {
    const [flag, text] = [{ type: "boolean" }, { type: "string" }] as const;
    try {
        const { values } = parseArgs({ args: [...args], options: { help: flag, docs: flag, only: text } });
        const isKnown = [undefined, "waiting", "engine"].includes(values.only);
        return isKnown && !(values.docs && values.only) ? values : undefined;
    } catch {
        return undefined;
    }
}

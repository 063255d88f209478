import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claimsOf } from "./claims";
import { engineSectionsIn } from "./engine/figures";
import { measure } from "./measure";
import { report } from "./report";

export { benchEngine } from "./engine/main";

const help = `Usage: npm run bench [-- OPTIONS], or npm run bench -- engine [OPTIONS]

Compares the polling schedule of this provider with the schedules of other tools: the delay
until the end of an operation is detected, and the number of requests. Prints a table, and
whether each claim holds. The exit code is 1 if a claim fails. Takes some minutes. The time of
the services is virtual, so that the figures are the same in each run. With engine, it measures
real time with Pulumi: npm run bench -- engine --help.

  --docs        write docs/benchmarks.md
  --help        show this text
`;

const [ok, failed, misused] = [0, 1, 2];

/** `npm run bench`, in the folder of the repository; returns its exit code. */
export async function bench(args: readonly string[], root: string): Promise<number> {
    const options = parse(args);
    if (options === undefined || options.help) {
        process.stdout.write(help);
        return options ? ok : misused;
    }
    const began = Date.now();
    const figures = await measure((text) => {
        process.stderr.write(`bench   ${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${text}\n`);
    });
    const claims = claimsOf(figures);
    const { format } = await import("prettier");
    const page = await format(report(figures, claims), { parser: "markdown" });
    process.stdout.write(page);
    if (options.docs) {
        const file = join(root, "docs", "benchmarks.md");
        writeFileSync(file, [page, ...engineSectionsIn(readFileSync(file, "utf8"))].join("\n"));
    }
    return claims.some(({ holds }) => !holds) ? failed : ok;
}

/** Undefined if they are invalid. */
function parse(args: readonly string[]) {
    const flag = { type: "boolean" } as const;
    try {
        return parseArgs({ args: [...args], options: { help: flag, docs: flag } }).values;
    } catch {
        return undefined;
    }
}

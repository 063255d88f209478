import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { contestantsOf } from "./contestants";
import { engineClaims, engineSection, idleLoad, withEngineSection, type Conditions, type Rounds } from "./figures";
import { runSeries, type Pulumi } from "./series";

const help = `Usage: npm run bench -- engine [OPTIONS]

Measures up, preview, up again, refresh and destroy with Pulumi's engine, against an emulator
whose services are ready at once: a dynamic provider that does nothing, a naive one, and both
hosts of this package. Prints a table, and whether each claim holds. The exit code is 1 if a
claim fails. Takes about 15 minutes with 200 services, and some hours with 1,000. Nothing else
may run on the computer: with a load above ${idleLoad} at the start, there is no claim.

  --services N    the number of services; default 200. Claims exist for 200 and 1000
  --rounds N      how often each is measured; default 3, for the median
  --checkout DIR  also measure both hosts of this checkout; can be repeated
  --docs          write the section of docs/benchmarks.md
  --help          show this text
`;

const [ok, failed, misused] = [0, 1, 2];
/** The value of `--services` and `--rounds`. */
const number = /^[1-9]\d*$/;

/** Installs and builds checkouts, and returns the engine. */
export type Prepare = (roots: readonly string[]) => Promise<Pulumi>;

/** `npm run bench -- engine`, in the folder of the repository; returns its exit code. */
export async function benchEngine(args: readonly string[], root: string, prepare: Prepare): Promise<number> {
    const options = parse(args);
    if (options === undefined || options.help) {
        process.stdout.write(help);
        return options ? ok : misused;
    }
    // Before a build, which is a load of its own.
    const [loadBefore = NaN] = loadavg();
    const [services, roundCount] = [Number(options.services), Number(options.rounds)];
    const checkouts = options.checkout.map((one) => resolve(one));
    const pulumi = await prepare([root, ...checkouts]);
    const contestants = contestantsOf(root, checkouts);
    const began = Date.now();
    const progress = (text: string) =>
        process.stderr.write(`bench   ${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${text}\n`);
    if (loadBefore > idleLoad) {
        progress(`the load of the computer is ${loadBefore.toFixed(2)}, above ${idleLoad}: there will be no claim`);
    }
    progress("not counted: the first series, which finds no file in the memory of the computer");
    for (const contestant of contestants) {
        await runSeries(contestant, 1, root, pulumi);
    }
    const rounds: Rounds[number][] = [];
    for (let round = 1; round <= roundCount; round++) {
        const one: Record<string, Rounds[number][string]> = {};
        for (const contestant of contestants) {
            progress(`round ${round} of ${roundCount}, ${services} services: ${contestant.name}`);
            one[contestant.name] = await runSeries(contestant, services, root, pulumi);
        }
        rounds.push(one);
    }
    const [loadAfter = NaN] = loadavg();
    const machine = { cores: cpus().length, node: process.versions.node, pulumi: pulumi.version };
    const conditions: Conditions = { services, ...machine, loadBefore, loadAfter };
    const { format } = await import("prettier");
    const section = await format(engineSection(contestants, rounds, conditions), { parser: "markdown" });
    process.stdout.write(section);
    if (options.docs) {
        const file = join(root, "docs", "benchmarks.md");
        writeFileSync(
            file,
            await format(withEngineSection(readFileSync(file, "utf8"), section), { parser: "markdown" }),
        );
    }
    return engineClaims(rounds, conditions).some(({ holds }) => !holds) ? failed : ok;
}

/** Undefined if they are invalid. */
function parse(args: readonly string[]) {
    const flag = { type: "boolean", default: false } as const;
    const text = { type: "string" } as const;
    try {
        const { values } = parseArgs({
            args: [...args],
            options: {
                services: { ...text, default: "200" },
                rounds: { ...text, default: "3" },
                checkout: { ...text, multiple: true, default: [] },
                docs: flag,
                help: flag,
            },
        });
        return [values.services, values.rounds].every((one) => number.test(one)) ? values : undefined;
    } catch {
        return undefined;
    }
}

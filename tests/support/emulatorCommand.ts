import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atEnd } from "./atEnd";
import { eventually, processes, unlessEnded } from "./postgres";

const root = join(__dirname, "..", "..");

export type EmulatorCommand = ReturnType<typeof startCommand>;

/** The options for `send`. */
export const settings = ["--speed", "1000", "--token", "test-token", "--project", "emulator01"];
export const settingsWithPostgres = [...settings, "--postgres"];

const printed = /LISTENING (\S+)\n/;
const printedWithPostgres = /LISTENING (\S+)\nCERTIFICATE (\S+)\n/;

/**
 * Starts the built command, by default with Node.js without options. If it still runs after the tests of the file, it is
 * killed.
 */
export function startCommand(
    args: readonly string[],
    {
        program = [process.execPath],
        ...options
    }: { uid?: number; env?: NodeJS.ProcessEnv; program?: readonly string[] } = {},
) {
    const [file = "", ...rest] = [...program, join(root, "dist", "emulator", "cli.js"), ...args];
    const child = spawn(file, rest, { cwd: root, ...options });
    atEnd(() => child.kill("SIGKILL"));
    let [stdout, stderr] = ["", ""];
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
    /** Resolves with the URL and the folder of the servers. */
    const started = new Promise<{ url: string; data: string }>((resolve, reject) => {
        child.stdout.on("data", (data: Buffer) => {
            stdout += data.toString();
            const expected = args.includes("--postgres") ? printedWithPostgres : printed;
            const [, url, certificate = ""] = expected.exec(stdout) ?? [];
            if (url !== undefined) {
                resolve({ url, data: dirname(certificate) });
            }
        });
        void ended.then(() => reject(new Error(stderr)));
    });
    started.catch(() => undefined);
    return { process: child, ended, started };
}

/** Sends a request about services to a command that was started with `settings`. */
export async function send<Body>(url: string, method: string, path: string, body?: unknown): Promise<Body> {
    return (await (await fetchServices(url, method, path, body)).json()) as Body;
}

export const fetchServices = (
    url: string,
    method: string,
    path: string,
    body?: unknown,
    token = "test-token",
): Promise<Response> =>
    fetch(`${url}/projects/emulator01/services${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
    });

const textOf = (file: string): string => unlessEnded(() => readFileSync(file, "utf8"));

/** The name of a program that is running. Linux only. */
export const nameOf = (pid: number): string => textOf(`/proc/${pid}/comm`).trim();

/** The shell that cleans up after the emulator, as soon as there is one. */
export async function watcherOf({ pid }: Pick<ChildProcess, "pid">): Promise<number> {
    const parentOf = (one: number): number => Number(/^\d+ \(.*\) \S (\d+)/s.exec(textOf(`/proc/${one}/stat`))?.[1]);
    const find = () => processes().find((one) => nameOf(one) === "sh" && parentOf(one) === pid);
    await eventually(() => find() !== undefined);
    return find() ?? 0;
}

/** Runs commands as in the user's terminal. Prints their output only if they fail. */
import { execa } from "execa";
import { plainEnvironment } from "../lib/environment.mjs";

/** Longer than an installation, or a run of Pulumi against a fast emulator. */
const limitMs = 300_000;
const linesShown = 30;

/** Returns what the command wrote to stdout. */
export async function run([file, ...args], { cwd, env = plainEnvironment() }) {
    const options = { cwd, env, extendEnv: false, timeout: limitMs, all: true, stdin: "ignore", reject: false };
    const { failed, stdout, all, shortMessage } = await execa(file, args, options);
    if (!failed) {
        return stdout;
    }
    throw new Error([shortMessage, ...(all ?? "").trimEnd().split("\n").slice(-linesShown)].join("\n"));
}

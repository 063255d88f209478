/** Runs the emulator in the background. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded } from "../engine/lock.mjs";
import { ScriptError } from "../lib/repository.mjs";
import { readJson, writeJson } from "./folder.mjs";

export const projectId = "quickstart";
const responseLimitMs = 3_000;
const startLimitMs = 30_000;
const stopLimitMs = 10_000;
const pollMs = 50;

/** Returns the emulator of this folder, if it responds. No other emulator accepts the random token. */
export async function findEmulator(folder) {
    const emulator = readJson(folder.process);
    const world = emulator && (await worldOf(folder, emulator).catch(() => undefined));
    return world && emulator;
}

/** Returns the process id, the URLs of the API and of the page, the build, and the certificate file of the PostgreSQL servers. */
export async function startEmulator(folder, { token, build, postgres = false }) {
    const log = openSync(folder.log, "a", 0o600);
    const begin = statSync(folder.log).size;
    const args = ["--project", projectId, "--state", folder.world, ...(postgres ? ["--postgres"] : [])];
    const child = spawn(process.execPath, [join(folder.root, "dist", "emulator", "cli.js"), ...args], {
        cwd: folder.path,
        // Other users can read a command line.
        env: { ...process.env, CLOUDDB_ACCESS_TOKEN: token },
        stdio: ["ignore", log, log],
        detached: true,
        windowsHide: true,
    });
    closeSync(log);
    child.unref();
    const output = () => readFileSync(folder.log).subarray(begin).toString("utf8");
    const printed = (name) => new RegExp(`^${name} (.+)\n`, "m").exec(output())?.[1];
    const deadline = Date.now() + startLimitMs;
    while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
        // The page is the last one.
        const [url, certificate, page] = ["LISTENING", "CERTIFICATE", "PAGE"].map(printed);
        if (page) {
            const emulator = { pid: child.pid, url, page, build, certificate };
            writeJson(folder.process, emulator);
            return emulator;
        }
        await sleep(pollMs);
    }
    child.kill();
    const lines = [
        `The emulator did not start: ${output().trim() || "no output"}`,
        `  Log: ${folder.log}`,
        "  To delete its state and start again: npm run quickstart -- reset",
        ...(postgres ? ["  To run without PostgreSQL: npm run quickstart -- --no-postgres"] : []),
    ];
    throw new ScriptError(lines.join("\n"));
}

/** Stops the emulator of this folder. Returns false if none responds: its pid may belong to another process now. */
export async function stopEmulator(folder) {
    const emulator = await findEmulator(folder);
    rmSync(folder.process, { force: true });
    if (!emulator) {
        return false;
    }
    process.kill(emulator.pid, "SIGTERM");
    const deadline = Date.now() + stopLimitMs;
    // The emulator removes its lock last. On Windows, a signal ends it before.
    const isRunning = () => existsSync(folder.worldLock) && !hasEnded(emulator.pid, hostname());
    while (isRunning() && Date.now() < deadline) {
        await sleep(pollMs);
    }
    if (isRunning()) {
        process.kill(emulator.pid, "SIGKILL");
    }
    return true;
}

/** All resources in the emulator. */
export async function worldOf(folder, { url }) {
    const response = await fetch(new URL("/_emulator/state", url), {
        headers: { authorization: `Bearer ${readJson(folder.secrets)?.token}` },
        signal: AbortSignal.timeout(responseLimitMs),
    });
    if (!response.ok) {
        throw new Error(`The emulator answered with ${response.status}.`);
    }
    return response.json();
}

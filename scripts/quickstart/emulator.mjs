/** The emulator in the background: found, started, asked, stopped. */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "../../engine/lock.mjs";
import { ScriptError } from "../lib/repository.mjs";
import { readJson, readSecrets, writeJson } from "./folder.mjs";

export const PROJECT_ID = "quickstart";
const ANSWER_LIMIT_MS = 3_000;
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/**
 * @typedef {object} Emulator
 * @property {number} pid
 * @property {string} url - ends in /v1
 * @property {string} [build] - what it was built from
 */

/** @typedef {import("./folder.mjs").Folder} Folder */

/**
 * The emulator of this folder, if it answers: only ours takes our token, which is random.
 *
 * @param {Folder} folder
 * @returns {Promise<Emulator | undefined>}
 */
export async function findEmulator(folder) {
    const noted = notedEmulator(folder);
    const secrets = readSecrets(folder);
    if (!noted || !secrets) return undefined;
    const answers = await ask(noted, secrets.token, "GET", "/state").then(
        () => true,
        () => false,
    );
    return answers ? noted : undefined;
}

/**
 * @param {Folder} folder
 * @param {{ root: string, token: string, build: string | undefined }} options
 * @returns {Promise<Emulator>}
 */
export async function startEmulator(folder, { root, token, build }) {
    const owner = ownerOf(folder);
    // The emulator takes it for alive.
    if (owner !== undefined && isZombie(owner)) rmSync(ownerFile(folder));
    const log = openSync(folder.log, "a", 0o600);
    const begin = statSync(folder.log).size;
    const child = spawn(process.execPath, [cli(root), "--project", PROJECT_ID, "--state", folder.world], {
        cwd: folder.path,
        // The token goes by the environment: other users can read a command line.
        env: { ...process.env, CLOUDDB_ACCESS_TOKEN: token },
        stdio: ["ignore", log, log],
        detached: true,
    });
    closeSync(log);
    child.unref();
    /** @type {Error | undefined} */
    let failure;
    child.once("error", (error) => (failure = error));
    const said = () => readFileSync(folder.log).subarray(begin).toString("utf8");
    const deadline = Date.now() + START_LIMIT_MS;
    while (Date.now() < deadline && !failure && child.exitCode === null && child.signalCode === null) {
        const [, url] = /^LISTENING (http\S+)$/m.exec(said()) ?? [];
        if (url && child.pid) {
            const emulator = { pid: child.pid, url, ...(build && { build }) };
            writeJson(folder.process, emulator);
            return emulator;
        }
        await sleep(LOOK_AGAIN_MS);
    }
    child.kill();
    const reason = failure?.message ?? (said().trim() || "it said nothing");
    throw new ScriptError(
        `The emulator did not start: ${reason}\n  Its log: ${folder.log}\n  To begin anew: npm run quickstart -- reset`,
    );
}

/**
 * Ends the emulator that was started here, and no other process that may have got its number.
 *
 * @param {Folder} folder
 * @param {string} root
 * @returns {Promise<boolean>} whether there was one
 */
export async function stopEmulator(folder, root) {
    const answering = await findEmulator(folder);
    const pid = answering?.pid ?? silentEmulator(folder, root);
    if (pid !== undefined) {
        signal(pid, "SIGTERM");
        if (!(await isGone(pid))) {
            signal(pid, "SIGKILL");
            await isGone(pid);
        }
    }
    rmSync(folder.process, { force: true });
    return pid !== undefined;
}

/**
 * What there is in the emulator.
 *
 * @typedef {object} World
 * @property {{ id: string, name: string, cidr: string, region_code: string }[]} vpcs
 * @property {{ id: string, vpc_id: string, status: string }[]} peerings
 * @property {Service[]} services
 */

/** @typedef {{ cpu_millis?: number, memory_gbs?: number }} Size */
/**
 * @typedef {object} Service
 * @property {string} service_id
 * @property {string} name
 * @property {string} status
 * @property {{ spec: Size }[]} [resources]
 * @property {{ replica_count?: number }} [ha_replicas]
 * @property {Size & { id: string, name: string, status: string, nodes: number }[]} [read_replica_sets]
 */

/**
 * @typedef {object} JournalEntry
 * @property {number} at
 * @property {string} method
 * @property {string} path
 * @property {string} [operationId]
 * @property {number} [status]
 * @property {unknown} [body]
 */

/**
 * @param {Folder} folder
 * @param {Emulator} emulator
 * @returns {Promise<World>}
 */
export async function worldOf(folder, emulator) {
    return /** @type {Promise<World>} */ (ask(emulator, readSecrets(folder)?.token ?? "", "GET", "/state"));
}

/**
 * @param {Folder} folder
 * @param {Emulator} emulator
 * @returns {Promise<JournalEntry[]>}
 */
export async function journalOf(folder, emulator) {
    return /** @type {Promise<JournalEntry[]>} */ (ask(emulator, readSecrets(folder)?.token ?? "", "GET", "/journal"));
}

/**
 * @param {Emulator} emulator
 * @param {string} token
 * @param {string} method
 * @param {string} path - below the control root
 * @returns {Promise<unknown>}
 */
async function ask({ url }, token, method, path) {
    const response = await fetch(new URL(`/_emulator${path}`, url), {
        method,
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    if (!response.ok) throw new Error(`The emulator answered ${response.status} to ${method} ${path}.`);
    return response.json();
}

/**
 * @param {Folder} folder
 * @returns {Emulator | undefined}
 */
function notedEmulator(folder) {
    const { pid, url, build } = readJson(folder.process) ?? {};
    if (!Number.isInteger(pid) || typeof url !== "string" || !/^http:\/\/127\.0\.0\.1:\d+\//.test(url))
        return undefined;
    return { pid: /** @type {number} */ (pid), url, ...(typeof build === "string" && { build }) };
}

/**
 * One that does not answer, or not to our token, but whose command line is that of the emulator of this folder: it hangs, or
 * our files about it are lost.
 *
 * @param {Folder} folder
 * @param {string} root
 * @returns {number | undefined}
 */
function silentEmulator(folder, root) {
    const candidates = [notedEmulator(folder)?.pid, ownerOf(folder)];
    return candidates.find((pid) => {
        if (pid === undefined || !Number.isInteger(pid) || pid <= 1 || !isRunning(pid)) return false;
        const command = commandLine(pid);
        return command.includes(cli(root)) && command.includes(folder.world);
    });
}

/**
 * The process that says it uses the world's file.
 *
 * @param {Folder} folder
 * @returns {number | undefined}
 */
function ownerOf(folder) {
    return existsSync(ownerFile(folder)) ? Number(readFileSync(ownerFile(folder), "utf8")) : undefined;
}

/** @param {Folder} folder */
const ownerFile = (folder) => `${folder.world}.lock`;

/** @param {number} pid */
function commandLine(pid) {
    const file = `/proc/${pid}/cmdline`;
    try {
        if (existsSync(file)) return readFileSync(file, "utf8").replaceAll("\0", " ");
        return execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    } catch {
        return "";
    }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
    try {
        process.kill(pid, name);
    } catch {
        // Already gone.
    }
}

/** @param {number} pid */
async function isGone(pid) {
    const deadline = Date.now() + STOP_LIMIT_MS;
    while (isRunning(pid) && !isZombie(pid)) {
        if (Date.now() > deadline) return false;
        await sleep(LOOK_AGAIN_MS);
    }
    return true;
}

/**
 * Whether it has ended and only its number is left, which in many a container nobody takes away.
 *
 * @param {number} pid
 */
function isZombie(pid) {
    try {
        return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
        return false;
    }
}

/** @param {string} root */
const cli = (root) => join(root, "dist", "emulator", "cli.js");

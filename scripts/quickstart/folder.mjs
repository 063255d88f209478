/**
 * What the quickstart keeps, all of it in one ignored folder that only its owner can read:
 *
 *     secrets.json           the emulator's token and the passphrase of the stack's secrets
 *     emulator.json          the emulator's world
 *     emulator.process.json  the emulator that runs
 *     emulator.log           what it said
 *     state/                 Pulumi's stacks
 *     pulumi-home/           in place of ~/.pulumi
 *     Pulumi.quickstart.yaml the stack's config, written by Pulumi
 */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScriptError } from "../lib/repository.mjs";

export const PROJECT = "quickstart";
export const STACK = "dev";
const SECRET_BYTES = 24;

/** @typedef {{ token: string, passphrase: string }} Secrets */

/** @param {string} root - of the repository */
export function folderOf(root) {
    const path = join(root, ".quickstart");
    const state = join(path, "state");
    return {
        path,
        secrets: join(path, "secrets.json"),
        world: join(path, "emulator.json"),
        process: join(path, "emulator.process.json"),
        log: join(path, "emulator.log"),
        lock: join(path, "lock"),
        state,
        stack: join(state, ".pulumi", "stacks", PROJECT, `${STACK}.json`),
        stackLocks: join(state, ".pulumi", "locks", "organization", PROJECT, STACK),
        home: join(path, "pulumi-home"),
    };
}

/** @typedef {ReturnType<typeof folderOf>} Folder */

/** @param {Folder} folder */
export function makeFolder(folder) {
    for (const path of [folder.path, folder.state, folder.home]) mkdirSync(path, { recursive: true, mode: 0o700 });
    // It may be there already, made with other rights.
    chmodSync(folder.path, 0o700);
}

/** @param {Folder} folder */
export function removeFolder(folder) {
    rmSync(folder.path, { recursive: true, force: true });
}

/**
 * @param {Folder} folder
 * @returns {Secrets | undefined} undefined when there are none, or not whole
 */
export function readSecrets(folder) {
    const { token, passphrase } = readJson(folder.secrets) ?? {};
    return typeof token === "string" && typeof passphrase === "string" ? { token, passphrase } : undefined;
}

/**
 * The secrets, made at random the first time.
 *
 * @param {Folder} folder
 * @returns {Secrets}
 */
export function ensureSecrets(folder) {
    const known = readSecrets(folder);
    if (known) return known;
    if (existsSync(folder.stack)) {
        throw new ScriptError(
            `${folder.secrets} is gone, and with it the passphrase of the stack's secrets.\n` +
                "  To begin anew: npm run quickstart -- reset",
        );
    }
    const secret = () => randomBytes(SECRET_BYTES).toString("base64url");
    const secrets = { token: secret(), passphrase: secret() };
    writeJson(folder.secrets, secrets);
    return secrets;
}

/**
 * @param {string} file
 * @returns {Record<string, unknown> | undefined} undefined when it is not there or holds no object
 */
export function readJson(file) {
    try {
        const value = JSON.parse(readFileSync(file, "utf8"));
        return typeof value === "object" && value !== null ? value : undefined;
    } catch {
        return undefined;
    }
}

/**
 * Whole or not at all, and for its owner only.
 *
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
}

/** The files of the quickstart, in one ignored folder that only its owner can read. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ScriptError } from "../lib/repository.mjs";

export const stack = "dev";
const secretBytes = 24;

/** @param {string} root - of the repository */
export function folderOf(root) {
    const path = join(root, ".quickstart");
    return {
        root,
        path,
        /** The token of the emulator and the passphrase of the stack. */
        secrets: join(path, "secrets.json"),
        /** The state of the emulator. */
        world: join(path, "emulator.json"),
        /** The data of its databases. */
        data: join(path, "emulator.json.postgres"),
        /** Exists while the emulator runs. */
        worldLock: join(path, "emulator.json.lock"),
        process: join(path, "emulator.process.json"),
        log: join(path, "emulator.log"),
        lock: join(path, "lock"),
        state: join(path, "state"),
        stack: join(path, "state", ".pulumi", "stacks", "quickstart", `${stack}.json`),
        stackLocks: join(path, "state", ".pulumi", "locks", "organization", "quickstart", stack),
        /** Instead of ~/.pulumi. */
        home: join(path, "pulumi-home"),
    };
}

export const makeFolder = ({ state }) => mkdirSync(state, { recursive: true, mode: 0o700 });

export function removeFolder(folder) {
    // The data is a link if the user of the database servers cannot access this folder.
    if (existsSync(folder.data)) {
        rmSync(realpathSync(folder.data), { recursive: true, force: true });
    }
    rmSync(folder.path, { recursive: true, force: true });
}

/** Creates random secrets in the first run. */
export function ensureSecrets(folder) {
    const known = readJson(folder.secrets);
    if (known) {
        return known;
    }
    if (existsSync(folder.stack)) {
        throw new ScriptError(
            `${folder.secrets} is missing or damaged. It contains the passphrase of the stack.\n` +
                "  To delete the stack and start again: npm run quickstart -- reset",
        );
    }
    const secret = () => randomBytes(secretBytes).toString("base64url");
    const secrets = { token: secret(), passphrase: secret() };
    writeJson(folder.secrets, secrets);
    return secrets;
}

/** Undefined if the file is missing or damaged. */
export function readJson(file) {
    try {
        return JSON.parse(readFileSync(file, "utf8"));
    } catch {
        return undefined;
    }
}

/** Only the owner can read the file. */
export const writeJson = (file, value) => writeFileSync(file, JSON.stringify(value), { mode: 0o600 });

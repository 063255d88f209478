/** All that the quickstart keeps, in one ignored folder that only its owner can read. */
import { randomBytes } from "node:crypto";
import {
    chmodSync,
    existsSync,
    mkdirSync,
    readFileSync,
    realpathSync,
    renameSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ScriptError } from "../lib/repository.mjs";

export const STACK = "dev";
const SECRET_BYTES = 24;

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
        withoutPostgres: join(path, "without-postgres"),
        process: join(path, "emulator.process.json"),
        log: join(path, "emulator.log"),
        lock: join(path, "lock"),
        state: join(path, "state"),
        stack: join(path, "state", ".pulumi", "stacks", "quickstart", `${STACK}.json`),
        stackLocks: join(path, "state", ".pulumi", "locks", "organization", "quickstart", STACK),
        /** Instead of ~/.pulumi. */
        home: join(path, "pulumi-home"),
    };
}

export function makeFolder(folder) {
    for (const path of [folder.path, folder.state, folder.home]) mkdirSync(path, { recursive: true, mode: 0o700 });
    // It may exist with other rights.
    chmodSync(folder.path, 0o700);
}

export function removeFolder(folder) {
    // A link, where the user of the database servers must not enter this folder.
    if (existsSync(folder.data)) rmSync(realpathSync(folder.data), { recursive: true, force: true });
    rmSync(folder.path, { recursive: true, force: true });
}

/** Undefined when there are none, or they are incomplete. */
export function readSecrets(folder) {
    const { token, passphrase } = readJson(folder.secrets) ?? {};
    return token && passphrase ? { token, passphrase } : undefined;
}

/** Creates random secrets the first time. */
export function ensureSecrets(folder) {
    const known = readSecrets(folder);
    if (known) return known;
    if (existsSync(folder.stack)) {
        throw new ScriptError(
            `${folder.secrets} is missing or incomplete; it has the passphrase of the stack.\n` +
                "  To start again without the stack: npm run quickstart -- reset",
        );
    }
    const secret = () => randomBytes(SECRET_BYTES).toString("base64url");
    const secrets = { token: secret(), passphrase: secret() };
    writeJson(folder.secrets, secrets);
    return secrets;
}

/** Undefined when the file is missing or damaged. */
export function readJson(file) {
    try {
        return JSON.parse(readFileSync(file, "utf8"));
    } catch {
        return undefined;
    }
}

/** Atomically, and readable by the owner only. */
export function writeJson(file, value) {
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
}

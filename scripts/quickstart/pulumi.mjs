/** Runs Pulumi without the user's account, home and settings. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { hasEnded } from "../engine/lock.mjs";
import { runInForeground } from "../lib/children.mjs";
import { pulumiEnvironment } from "../lib/environment.mjs";
import { ScriptError } from "../lib/repository.mjs";
import { projectId } from "./emulator.mjs";
import { readJson, stack } from "./folder.mjs";

/** The provider needs a base URL even for a preview, which sends nothing. */
const unreachable = "http://127.0.0.1:9/v1";

/** Without an emulator, there is no token. `path` is the PATH with the engine. */
export function environmentOf({ home, state }, { path, secrets, emulator, env }) {
    return {
        ...pulumiEnvironment({ path, home, state, passphrase: secrets.passphrase }, env),
        PULUMI_STACK: stack,
        CLOUDDB_BASE_URL: emulator?.url ?? unreachable,
        CLOUDDB_PROJECT_ID: projectId,
        CLOUDDB_ACCESS_TOKEN: emulator && secrets.token,
    };
}

export async function ensureStack(folder, env) {
    removeDeadLocks(folder);
    if (existsSync(folder.stack)) {
        return;
    }
    const args = ["stack", "init", stack, "--secrets-provider", "passphrase", "--no-select", "--non-interactive"];
    const { failed, stderr } = await execa("pulumi", args, { cwd: folder.root, env, extendEnv: false, reject: false });
    if (failed) {
        throw new ScriptError(`Creating the stack failed: ${stderr}`);
    }
}

/** Returns the exit code of Pulumi. */
export function runPulumi(folder, env, args) {
    const interactive = process.stdin.isTTY && process.stdout.isTTY;
    const flags = interactive ? [] : ["--non-interactive"];
    return runInForeground("pulumi", [...args, ...flags], { cwd: folder.root, env });
}

/** Removes the locks of killed Pulumi processes, so that the next run does not require `pulumi cancel`. */
function removeDeadLocks({ stackLocks }) {
    for (const name of existsSync(stackLocks) ? readdirSync(stackLocks) : []) {
        const file = join(stackLocks, name);
        const lock = readJson(file);
        if (hasEnded(lock?.pid, lock?.hostname)) {
            rmSync(file);
            rmSync(`${file}.attrs`, { force: true });
        }
    }
}

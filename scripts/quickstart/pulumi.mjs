/** Runs Pulumi without the user's account, home and settings. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { isRunning } from "../engine/lock.mjs";
import { runInForeground } from "../lib/children.mjs";
import { providerEnvironment, pulumiEnvironment } from "../lib/environment.mjs";
import { ScriptError } from "../lib/repository.mjs";
import { projectId } from "./emulator.mjs";
import { readJson, stack } from "./folder.mjs";

/** The provider needs a base URL even for a preview, which sends nothing. */
const unreachable = "http://127.0.0.1:9/v1";

/** Without an emulator, there is no token. `path` is the PATH with the engine. */
export function environmentOf({ home, state }, { path, secrets, emulator, env }) {
    const { token, passphrase } = secrets;
    return {
        ...pulumiEnvironment({ path, home, state, passphrase }, env),
        PULUMI_STACK: stack,
        ...providerEnvironment({ url: emulator?.url ?? unreachable, projectId, token: emulator && token }),
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
        const { pid, hostname: host } = readJson(file) ?? {};
        if (pid === undefined || host !== hostname() || isRunning(pid)) {
            continue;
        }
        for (const path of [file, `${file}.attrs`]) {
            rmSync(path, { force: true });
        }
    }
}

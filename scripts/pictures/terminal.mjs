/** A terminal that can be looked at: tmux. */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ScriptError } from "../lib/repository.mjs";

/** How wide it is, and with it the pictures. */
export const COLUMNS = 150;
const ROWS = 60;
const LOOK_MS = 200;
const LIMIT_MS = 120_000;

/**
 * @typedef {object} Running
 * @property {(words: RegExp) => Promise<string>} when - the screen as soon as these words are on it
 * @property {() => Promise<string>} end - the screen when the command has ended
 */

/** @param {{ cwd: string, env: Record<string, string> }} options */
export function openTerminal({ cwd, env }) {
    const socket = `clouddb-pictures-${process.pid}`;
    const tmux = (/** @type {string[]} */ ...args) => {
        try {
            return execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { cwd, env, encoding: "utf8" });
        } catch (error) {
            throw new ScriptError(`tmux is needed for the pictures: ${/** @type {Error} */ (error).message}`);
        }
    };
    const screen = () => tmux("capture-pane", "-e", "-p", "-t", "main");
    tmux("new-session", "-d", "-s", "main", "-x", String(COLUMNS), "-y", String(ROWS), "sleep 100000");
    const done = join(cwd, ".done");

    return {
        /** @param {string} command @returns {Running} */
        run(command) {
            rmSync(done, { force: true });
            const shown = `printf '\\033[1m$ ${command}\\033[0m\\n'; ${command}; touch ${done}; sleep 100000`;
            tmux("respawn-pane", "-k", "-t", "main", "sh", "-c", shown);
            tmux("clear-history", "-t", "main");
            const until = async (/** @type {() => boolean} */ isSo) => {
                for (const limit = Date.now() + LIMIT_MS; !isSo(); await sleep(LOOK_MS)) {
                    if (Date.now() > limit) throw new ScriptError(`This did not come to its end:\n${screen()}`);
                }
                return screen();
            };
            return { when: (words) => until(() => words.test(screen())), end: () => until(() => existsSync(done)) };
        },
        close: () => tmux("kill-server"),
    };
}

/** The emulator of an installed package, started by the command that comes with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const TOKEN = "token-of-the-matrix";
const PROJECT = "packaging1";
const SPEED = 100;

/**
 * @typedef {object} Emulator
 * @property {Record<string, string>} settings - environment variables of the programs that use it
 * @property {() => Promise<string[]>} changes - the operations that were asked to change something, so far
 * @property {() => Promise<number>} things - how many there are
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} folder - of the project that has the package
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Emulator>}
 */
export async function startEmulator(folder, env) {
    const args = ["--port", "0", "--token", TOKEN, "--project", PROJECT, "--speed", String(SPEED)];
    const command = join(folder, "node_modules", ".bin", "clouddb-emulator");
    const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    const url = await new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code) => reject(new Error(`clouddb-emulator ended with exit code ${code}`)));
        createInterface(child.stdout).on("line", (line) => {
            if (line.startsWith("LISTENING ")) resolve(line.slice("LISTENING ".length).trim());
        });
    });
    const ask = async (path) => {
        const response = await fetch(new URL(`/_emulator/${path}`, url), {
            headers: { authorization: `Bearer ${TOKEN}` },
        });
        if (!response.ok) throw new Error(`The emulator answers ${response.status} to ${path}`);
        return response.json();
    };
    return {
        settings: { CLOUDDB_BASE_URL: url, CLOUDDB_PROJECT_ID: PROJECT, CLOUDDB_ACCESS_TOKEN: TOKEN },
        changes: async () => {
            const entries = await ask("journal");
            return entries.filter(({ method }) => method !== "GET").map(({ operationId }) => operationId);
        },
        things: async () => {
            const { services, vpcs } = await ask("state");
            return services.length + vpcs.length;
        },
        close: async () => {
            if (child.exitCode !== null || child.signalCode !== null) return;
            child.kill();
            await once(child, "exit");
        },
    };
}

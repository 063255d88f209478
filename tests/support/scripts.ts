import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { root } from "./documents";

/**
 * Runs statements in another process and returns their result. They can use `load`, which imports a module below scripts/:
 * jest cannot load ES modules.
 */
export async function evaluate(statements: string, env: NodeJS.ProcessEnv = process.env): Promise<unknown> {
    const source =
        `const load = (name) => import(${JSON.stringify(pathToFileURL(`${root}/scripts/`).href)} + name);\n` +
        `const result = await (async () => { ${statements} })();\n` +
        "console.log(JSON.stringify(result ?? null));";
    const args = ["--input-type=module", "--eval", source];
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    if (stdout === "") {
        throw new Error(stderr);
    }
    return JSON.parse(stdout);
}

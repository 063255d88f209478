import { join } from "node:path";
import { runNode } from "./child";
import { root } from "./documents";

/**
 * Runs statements in another process and returns their result. They can use `load`, which imports a module below scripts/:
 * jest cannot load ES modules.
 */
export async function evaluate(statements: string, env: NodeJS.ProcessEnv = process.env): Promise<unknown> {
    const source =
        `const load = (name) => import(${JSON.stringify(join(root, "scripts"))} + "/" + name);\n` +
        `const result = await (async () => { ${statements} })();\n` +
        "console.log(JSON.stringify(result ?? null));";
    const { stdout, stderr } = await runNode(["--input-type=module", "--eval", source], root, env);
    if (stdout === "") {
        throw new Error(stderr);
    }
    return JSON.parse(stdout);
}

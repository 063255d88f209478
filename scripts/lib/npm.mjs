/** How scripts start npm. Uses only built-in modules of Node. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The command that starts npm: Node.js with the file of npm, whose path npm passes to what it runs. On Windows, Node.js does not
 * start `npm.cmd` without a shell, but npm is in the folder of Node.js.
 */
export function npmCommand(env = process.env, node = process.execPath) {
    const files = [env.npm_execpath ?? "", join(dirname(node), "node_modules", "npm", "bin", "npm-cli.js")];
    const file = files.find((one) => /npm-cli\.js$/.test(one) && existsSync(one));
    return file === undefined ? ["npm"] : [node, file];
}

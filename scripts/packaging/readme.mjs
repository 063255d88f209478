/** What the README of the package says to do in a project of one's own, done word for word. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "../lib/repository.mjs";
import { plainEnvironment, run } from "./run.mjs";

const SECTION = "## In a project of your own";
const MOST_COMMANDS = 10;
const PORT = "8080";

/**
 * @param {{ folder: string, tarball: string, enginePath: string, signal: AbortSignal }} materials
 * @returns {Promise<string>} what there is to say of it
 */
export async function tryReadme({ folder, tarball, enginePath, signal }) {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const program = blocksOf(readme, "ts")[0];
    const commands = blocksOf(sectionOf(readme), "sh").flatMap((block) => block.split("\n"));
    if (program === undefined || commands.length === 0) throw new Error(`The README has no program or no ${SECTION}`);
    if (commands.length > MOST_COMMANDS) throw new Error(`The README needs ${commands.length} commands`);

    const project = join(folder, "shop");
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "index.ts"), program);
    const port = await freePort();
    const lines = commands.map((command) =>
        command
            .replace("npm install pulumi-clouddb", `npm install ${tarball}`)
            .replace(PORT, String(port))
            // The other terminal.
            .replace(/^npx clouddb-emulator .*$/, "$& & emulator=$!"),
    );
    const script = [
        // Each background job a group of its own: a signal for npx does not reach what it has started.
        "set -em",
        "trap 'kill -- -$emulator' EXIT",
        ...lines,
        'curl -sS --fail -H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN" ${CLOUDDB_BASE_URL%/v1}/_emulator/state >&3',
    ];
    const env = {
        ...plainEnvironment(),
        PATH: enginePath,
        PULUMI_HOME: join(folder, "home"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_SKIP_CONFIRMATIONS: "true",
        NO_PROXY: "127.0.0.1,localhost",
        no_proxy: "127.0.0.1,localhost",
    };
    const file = join(folder, "state.json");
    await run(["bash", "-c", `exec 3>"$0"\n${script.join("\n")}`, file], { cwd: project, env, signal });
    const { services } = JSON.parse(readFileSync(file, "utf8"));
    if (services.length !== 1 || services[0].status !== "READY") {
        throw new Error(`The README made ${JSON.stringify(services.map(({ status }) => status))}, not one service`);
    }
    return `${commands.length} commands to a service`;
}

/** @param {string} text */
function sectionOf(text) {
    const [, rest = ""] = text.split(`${SECTION}\n`);
    return rest.split(/^## /m)[0];
}

/**
 * @param {string} text
 * @param {string} language
 */
const blocksOf = (text, language) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, "gm"))].map(([, block]) => block);

/** @returns {Promise<number>} */
function freePort() {
    return new Promise((resolve, reject) => {
        const server = createServer().once("error", reject);
        server.listen(0, "127.0.0.1", () => {
            const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
            server.close(() => resolve(port));
        });
    });
}

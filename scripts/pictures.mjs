/** `npm run pictures`: draws the pictures of the README, from examples/quickstart, and of the page of the emulator. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import serialize from "@xterm/addon-serialize";
import xterm from "@xterm/headless";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { providerEnvironment, pulumiEnvironment } from "./lib/environment.mjs";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";
import { drawPage } from "./pictures/page.mjs";

const [columns, rowCount, limitMs] = [150, 60, 120_000];
const [characterWidth, lineHeight, padding] = [7.83, 18, 16];
const font = `font: 13px/${lineHeight}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; margin: 0`;
const theme = { background: "#101418", foreground: "#d8dee6" };
const pictures = join(repositoryRoot, "docs", "pictures");
/** Below the root, so that the program finds the package. */
const folder = join(repositoryRoot, ".quickstart", "pictures");

export async function run() {
    const { startEmulator } = createRequire(import.meta.url)("../dist/emulator/index.js");
    rmSync(folder, { recursive: true, force: true });
    const project = join(folder, "shop");
    mkdirSync(join(folder, "state"), { recursive: true });
    cpSync(join(repositoryRoot, "examples", "quickstart"), project, { recursive: true });
    writeFileSync(join(project, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    // The peering is still pending while the service is configured.
    const emulator = await startEmulator({ seed: 7, durations: { peeringProvision: 6_000 } });
    const folders = { home: join(folder, "home"), state: join(folder, "state"), passphrase: "pictures" };
    const env = {
        ...pulumiEnvironment({ path: pathWithEngine(await ensureEngine()), ...folders }),
        ...providerEnvironment(emulator),
        PULUMI_STACK: "production",
        TERM: "xterm-256color",
    };
    const terminal = (command, isWanted) => runInTerminal(command, { cwd: project, env }, isWanted);
    try {
        await terminal("pulumi stack init production --secrets-provider passphrase");
        save(
            "up-running",
            await terminal("pulumi up --yes --skip-preview", (screen) => /CONFIGURING/.test(textOf(screen))),
        );
        const program = readFileSync(join(project, "index.ts"), "utf8");
        const larger = program
            .replace("cpuMillis = 1000", "cpuMillis = 2000")
            .replace("replicaCount: 1", "replicaCount: 2");
        writeFileSync(join(project, "index.ts"), larger);
        save("preview", await terminal("pulumi preview"));
    } finally {
        await emulator.close();
        rmSync(folder, { recursive: true, force: true });
    }
    await drawPage(pictures);
}

/** Returns the first screen that matches, or the last one, as HTML. `script` runs the command in a terminal. */
function runInTerminal(command, options, isWanted = () => false) {
    const terminal = new xterm.Terminal({ cols: columns, rows: rowCount, allowProposedApi: true, theme });
    const addon = new serialize.SerializeAddon();
    terminal.loadAddon(addon);
    const screen = () => addon.serializeAsHTML({ includeGlobalBackground: true });
    const typed = `stty cols ${columns} rows ${rowCount}; printf '\\033[1m$ ${command}\\033[0m\\n'; ${command}`;
    const args = process.platform === "linux" ? ["-qefc", typed, "/dev/null"] : ["-q", "/dev/null", "sh", "-c", typed];
    let wanted;
    return new Promise((resolve, reject) => {
        const child = spawn("script", args, { ...options, timeout: limitMs }).once("error", reject);
        child.stdout.on("data", (data) =>
            terminal.write(data, () => (wanted ??= isWanted(screen()) ? screen() : undefined)),
        );
        child.once("close", (code) =>
            terminal.write("", () => {
                if (code === 0) {
                    resolve(wanted ?? screen());
                } else {
                    reject(new ScriptError(`${command} failed:\n${textOf(screen())}`));
                }
            }),
        );
    });
}

/** Each row is a `div` of the HTML. */
const rowsOf = (screen) =>
    screen.match(/<div>(?:<span.*?<\/span>)*<\/div>/g).filter((row) => textOf(row).trim() !== "");
const textOf = (html) =>
    html
        .replace(/<[^>]*>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&amp;/g, "&");

function save(name, screen) {
    const rows = rowsOf(screen).map((row) => row.replace(/\s+<\/span><\/div>$/, "</span></div>"));
    const width = Math.ceil(Math.max(...rows.map((row) => textOf(row).length)) * characterWidth) + 2 * padding;
    const height = rows.length * lineHeight + 2 * padding;
    const style = `${font.replaceAll('"', "'")}; padding: ${padding}px; color: ${theme.foreground}; background: ${theme.background}; border-radius: 8px`;
    const html = `<pre xmlns="http://www.w3.org/1999/xhtml" style="${style}">${rows.join("")}</pre>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${html}</foreignObject></svg>\n`;
    writeFileSync(join(pictures, `${name}.svg`), svg);
}

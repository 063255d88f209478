/** A terminal that can be looked at: `script` makes commands believe in one, and xterm.js knows what it would show. */
import { spawn } from "node:child_process";
import headless from "@xterm/headless";
import { ScriptError } from "../lib/repository.mjs";

/** How wide it is, and with it the pictures. */
export const COLUMNS = 150;
const ROWS = 60;
const LIMIT_MS = 120_000;

/** @typedef {{ colour?: number | string, bold: boolean, dim: boolean, underline: boolean }} Style - one of the terminal's 256 colours, or one of CSS */
/** @typedef {{ column: number, text: string, style: Style }} Run - text of one style */
/** @typedef {readonly (readonly Run[])[]} Screen - its rows */

/**
 * @typedef {object} Running
 * @property {(isIt: (screen: Screen) => boolean) => Promise<Screen>} when - the first screen of which this is so
 * @property {() => Promise<Screen>} end - the screen when the command has ended well
 */

/** What a screen says. @param {Screen} screen */
export const textOf = (screen) =>
    screen
        .map((runs) =>
            runs
                .map(({ text }) => text)
                .join("")
                .trimEnd(),
        )
        .join("\n")
        .trim();

/** @param {{ cwd: string, env: Record<string, string> }} options */
export function openTerminal({ cwd, env }) {
    return {
        /** @param {string} command @returns {Running} */
        run(command) {
            const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
            const typed = `stty cols ${COLUMNS} rows ${ROWS}; printf '\\033[1m$ ${command}\\033[0m\\n'; ${command}`;
            const child = spawn("script", argumentsFor(typed), {
                cwd,
                env: { ...env, TERM: "xterm-256color" },
                timeout: LIMIT_MS,
            });
            const onScreen = new Set();
            child.stdout.on("data", (data) => {
                terminal.write(data, () => onScreen.forEach((look) => look()));
            });
            const ended = new Promise((resolve, reject) => {
                child.once("error", (error) => reject(new ScriptError(`There is no terminal: ${error.message}`)));
                child.once("close", (code) => terminal.write("", () => resolve(code)));
            });
            const failed = (/** @type {string} */ how) =>
                new ScriptError(`${command} ${how}:\n${textOf(screenOf(terminal))}`);
            const when = (/** @type {(screen: Screen) => boolean} */ isIt) =>
                new Promise((resolve, reject) => {
                    const look = () => {
                        const screen = screenOf(terminal);
                        if (!isIt(screen)) return;
                        onScreen.delete(look);
                        resolve(screen);
                    };
                    onScreen.add(look);
                    look();
                    ended.then(() => reject(failed("did not show what was looked for")), reject);
                });
            const end = async () => {
                const code = await ended;
                if (code !== 0) throw failed(`ended with ${code ?? "a signal"}`);
                return screenOf(terminal);
            };
            return { when, end };
        },
    };
}

/** They differ between Linux and the BSDs, of which macOS is one. @param {string} command */
const argumentsFor = (command) =>
    process.platform === "linux" ? ["-qefc", command, "/dev/null"] : ["-q", "/dev/null", "sh", "-c", command];

/** @param {headless.Terminal} terminal @returns {Screen} */
function screenOf({ buffer: { active } }) {
    return Array.from({ length: ROWS }, (_, row) => {
        const line = active.getLine(active.baseY + row);
        /** @type {Run[]} */
        const runs = [];
        for (let column = 0; column < COLUMNS; column++) {
            const cell = line?.getCell(column);
            if (cell === undefined) continue;
            const style = styleOf(cell);
            const last = runs.at(-1);
            const text = cell.getChars() || " ";
            if (last && JSON.stringify(last.style) === JSON.stringify(style)) last.text += text;
            else runs.push({ column, text, style });
        }
        return runs;
    });
}

/** @param {headless.IBufferCell} cell @returns {Style} */
function styleOf(cell) {
    const colour = cell.isFgRGB()
        ? { colour: `#${cell.getFgColor().toString(16).padStart(6, "0")}` }
        : cell.isFgPalette()
          ? { colour: cell.getFgColor() }
          : {};
    return { ...colour, bold: cell.isBold() !== 0, dim: cell.isDim() !== 0, underline: cell.isUnderline() !== 0 };
}

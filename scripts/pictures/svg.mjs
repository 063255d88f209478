/** A screen of a terminal, with its colours, as a picture. */

const FONT_SIZE = 13;
const CHARACTER_WIDTH = 7.83;
const LINE_HEIGHT = 18;
const MARGIN = 16;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const BACKGROUND = "#101418";
const FOREGROUND = "#d8dee6";
/** The sixteen colours of a terminal, on a dark ground. */
const PALETTE = [
    ...["#3b4450", "#f47067", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#adbac7"],
    ...["#768390", "#ff938a", "#6bc46d", "#daaa3f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#e6edf3"],
];

/** @typedef {import("./terminal.mjs").Run} Run */
/** @typedef {import("./terminal.mjs").Screen} Screen */

/** @param {Screen} screen */
export function drawTerminal(screen) {
    const lines = trimmed(screen);
    const columns = Math.max(...lines.map(widthOf));
    const width = Math.ceil(columns * CHARACTER_WIDTH + 2 * MARGIN);
    const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
    const texts = lines.flatMap((runs, row) => {
        const y = MARGIN + (row + 0.75) * LINE_HEIGHT;
        return runs.filter(({ text }) => text.trim() !== "").map((run) => drawRun(run, y));
    });
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
        `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
        `<g font-family="${FONT}" font-size="${FONT_SIZE}" fill="${FOREGROUND}" xml:space="preserve">`,
        ...texts,
        "</g>",
        "</svg>",
        "",
    ].join("\n");
}

/** @param {Run} run @param {number} y */
function drawRun({ column, text: padded, style }, y) {
    const text = padded.trimEnd();
    // The columns stay where they are in whatever font the reader has.
    const x = (MARGIN + column * CHARACTER_WIDTH).toFixed(1);
    const length = ([...text].length * CHARACTER_WIDTH).toFixed(1);
    const attributes = [
        `x="${x}" y="${y.toFixed(1)}" textLength="${length}" lengthAdjust="spacingAndGlyphs"`,
        ...(style.colour === undefined ? [] : [`fill="${colourOf(style.colour)}"`]),
        ...(style.bold ? ['font-weight="bold"'] : []),
        ...(style.dim ? ['opacity="0.6"'] : []),
        ...(style.underline ? ['text-decoration="underline"'] : []),
    ];
    return `<text ${attributes.join(" ")}>${escaped(text)}</text>`;
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** One of 256: sixteen of the palette, a cube of six by six by six, and greys. @param {number | string} code */
function colourOf(code) {
    if (typeof code === "string") return code;
    if (code < 16) return PALETTE[code] ?? FOREGROUND;
    if (code > 231)
        return `rgb(${Array(3)
            .fill(8 + (code - 232) * 10)
            .join(",")})`;
    const level = (/** @type {number} */ value) => (value === 0 ? 0 : 55 + value * 40);
    const cube = code - 16;
    return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(",")})`;
}

/** @param {readonly Run[]} runs */
function widthOf(runs) {
    const visible = runs.filter(({ text }) => text.trim() !== "");
    return Math.max(0, ...visible.map(({ column, text }) => column + [...text.trimEnd()].length));
}

/** Without the empty lines at both ends. @param {Screen} lines */
function trimmed(lines) {
    const used = lines.map((line) => widthOf(line) > 0);
    return lines.slice(used.indexOf(true), used.lastIndexOf(true) + 1);
}

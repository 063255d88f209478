/** The cells of the matrix: one usual project, and each of its dimensions varied. */

/** @typedef {"npm" | "pnpm" | "yarn"} Manager */

/**
 * @typedef {object} Cell
 * @property {string} name
 * @property {Manager} manager
 * @property {string} managerVersion - of npm nothing: it is the one that comes with Node
 * @property {Record<string, string>} settings - environment variables of the package manager
 * @property {"ts" | "js"} language
 * @property {"cjs" | "esm"} modules
 * @property {number} node - major version
 * @property {"oldest" | "newest"} pulumi - of our peer range
 * @property {boolean} upgrade - also installs the package under a higher version over the stack
 */

/** @type {Cell} */
const usual = {
    name: "usual",
    manager: "npm",
    managerVersion: "",
    settings: {},
    language: "ts",
    modules: "cjs",
    node: 20,
    pulumi: "oldest",
    upgrade: false,
};

/** Without it pnpm puts everything where everybody finds it, whether it is a dependency or not. */
const strict = { npm_config_hoist: "false", PNPM_CONFIG_HOIST: "false" };

/** @type {readonly Cell[]} */
export const cells = [
    usual,
    { ...usual, name: "upgrade", upgrade: true },
    { ...usual, name: "javascript", language: "js" },
    { ...usual, name: "javascript-esm", language: "js", modules: "esm" },
    { ...usual, name: "typescript-esm", modules: "esm" },
    { ...usual, name: "pnpm", manager: "pnpm", managerVersion: "10" },
    { ...usual, name: "pnpm-strict", manager: "pnpm", managerVersion: "10", settings: strict },
    { ...usual, name: "yarn-1", manager: "yarn", managerVersion: "1" },
    { ...usual, name: "yarn-4", manager: "yarn", managerVersion: "4" },
    { ...usual, name: "node-22", node: 22 },
    { ...usual, name: "node-24", node: 24 },
    { ...usual, name: "newest-pulumi", node: 22, pulumi: "newest" },
    { ...usual, name: "newest-of-all", node: 24, pulumi: "newest", modules: "esm" },
];

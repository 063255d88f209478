/** The cells of the matrix: one usual project, and variations of each of its properties. */

const usual = {
    name: "usual",
    manager: "npm",
    /** The npm package of the manager; npm comes with Node. */
    managerPackage: undefined,
    /** Environment variables of the package manager. */
    settings: {},
    language: "ts",
    modules: "cjs",
    node: 20,
    /** The oldest or the newest version of the peer range. */
    pulumi: "oldest",
    /** Whether to upgrade the package to a higher version after the first update. */
    upgrade: false,
};
const pnpm = { ...usual, manager: "pnpm", managerPackage: "pnpm@10" };
/** Without hoisting, a package finds only its own dependencies. */
const strict = { npm_config_hoist: "false", PNPM_CONFIG_HOIST: "false" };

export const cells = [
    usual,
    { ...usual, name: "upgrade", upgrade: true },
    { ...usual, name: "javascript", language: "js" },
    { ...usual, name: "javascript-esm", language: "js", modules: "esm" },
    { ...usual, name: "typescript-esm", modules: "esm" },
    { ...pnpm, name: "pnpm" },
    { ...pnpm, name: "pnpm-strict", settings: strict },
    { ...usual, name: "yarn-1", manager: "yarn", managerPackage: "yarn@1.22.22" },
    { ...usual, name: "yarn-4", manager: "yarn", managerPackage: "@yarnpkg/cli-dist@4" },
    { ...usual, name: "node-22", node: 22 },
    { ...usual, name: "node-24", node: 24 },
    { ...usual, name: "newest-pulumi", node: 22, pulumi: "newest" },
    { ...usual, name: "newest-of-all", node: 24, pulumi: "newest", modules: "esm" },
];

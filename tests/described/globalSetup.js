const { execFileSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

/** Installs the proxy in this folder, unless it is there. Its packages run no scripts. */
module.exports = () => {
    if (!existsSync(join(__dirname, "node_modules", ".package-lock.json"))) {
        const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        execFileSync("npm", args, { cwd: __dirname, stdio: "inherit" });
    }
};

const { execFileSync } = require("node:child_process");
const { join } = require("node:path");

/** Makes a Windows for the tests. Without it, the variable says what is missing. */
module.exports = () => {
    const setup = join(__dirname, "laboratory", "setup.mjs");
    const made = execFileSync(process.execPath, [setup], { stdio: ["ignore", "pipe", "inherit"] });
    Object.assign(process.env, JSON.parse(made.toString()));
};

const { spawnSync } = require("node:child_process");
const { rmSync } = require("node:fs");

module.exports = () => {
    const { CLOUDDB_WINDOWS: prefix } = process.env;
    if (prefix) {
        spawnSync("wineserver", ["-k"]);
        rmSync(prefix, { recursive: true, force: true, maxRetries: 5 });
    }
};

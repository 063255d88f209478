const { accessSync, constants } = require("node:fs");
const { delimiter, join } = require("node:path");

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of Chromium: CLOUDDB_BROWSER, or the first of its usual names on PATH; undefined if it is not installed. */
exports.findBrowser = () => {
    const folders = (process.env.PATH ?? "").split(delimiter);
    const files = folders.flatMap((folder) => names.map((name) => join(folder, name)));
    return process.env.CLOUDDB_BROWSER ?? files.find(isExecutable);
};

/** Headless, with a new profile, and without background requests. */
exports.browserArguments = [
    ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
    ...["--disable-background-networking", "--disable-component-update"],
];

function isExecutable(file) {
    try {
        accessSync(file, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}

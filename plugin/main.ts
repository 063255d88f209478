import { version } from "./version";

// The entry point of the plugin in an npm package, and in a clone.

if (process.argv[2] === "--version") {
    process.stdout.write(version());
} else {
    void import("./serve.js");
}

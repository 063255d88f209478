#!/usr/bin/env node
import { main } from "./main";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => stop.abort());
}

// The parent process may stop reading after the LISTENING line.
for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => undefined);
}

void main(process.argv.slice(2), {
    stdout: (line) => process.stdout.write(`${line}\n`),
    stderr: (line) => process.stderr.write(`${line}\n`),
    env: process.env,
    stop: stop.signal,
}).then((code) => (process.exitCode = code));

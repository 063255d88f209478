#!/usr/bin/env node
import { runCommand } from "../cli/streams";
import { main } from "./main";

const stop = new AbortController();
// Windows has no SIGTERM, but Ctrl-Break.
for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) {
    process.on(signal, () => stop.abort());
}

// The parent process may stop reading after the LISTENING line.
void runCommand(
    "clouddb-emulator",
    ({ stdout, stderr }) =>
        main(process.argv.slice(2), {
            stdout: (line) => stdout(`${line}\n`),
            stderr: (line) => stderr(`${line}\n`),
            env: process.env,
            stop: stop.signal,
        }),
    () => stop.abort(),
);

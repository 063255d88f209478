#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { systemClock } from "../provider/api/clock";
import { main } from "./orphans";

void main(process.argv.slice(2), {
    stdout: (line) => process.stdout.write(line),
    stderr: (line) => process.stderr.write(line),
    env: process.env,
    read: (file) => (file === "-" ? text(process.stdin) : readFile(file, "utf8")),
    now: () => systemClock.now(),
}).then((code) => (process.exitCode = code));

#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { systemClock } from "../provider/api/clock";
import { main } from "./orphans";

void main(process.argv.slice(2), {
    stdout: (line) => process.stdout.write(line),
    stderr: (line) => process.stderr.write(line),
    env: process.env,
    read: (file) => (file === "-" ? buffer(process.stdin) : readFile(file)),
    now: () => systemClock.now(),
}).then((code) => (process.exitCode = code));

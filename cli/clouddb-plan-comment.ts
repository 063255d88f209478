#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { main } from "./planComment/main";

const standardInput = 0;

process.exitCode = main(process.argv.slice(2), {
    stdin: () => readFileSync(standardInput),
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
});

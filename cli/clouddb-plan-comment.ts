#!/usr/bin/env node
import { main } from "./planComment/main";
import { readInput, runCommand } from "./streams";

void runCommand("clouddb-plan-comment", (streams) => main(process.argv.slice(2), { ...streams, stdin: readInput }));

#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { systemClock } from "../provider/api/clock";
import { main } from "./orphans";
import { readInput, runCommand } from "./streams";

void runCommand("clouddb-orphans", (streams) =>
    main(process.argv.slice(2), {
        ...streams,
        env: process.env,
        read: (file) => (file === "-" ? Promise.resolve(readInput()) : readFile(file)),
        now: () => systemClock.now(),
    }),
);

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { variables } from "./names";

// Loaded with `node --require` into every process that Pulumi starts. It records the memory of the provider process.

export interface ProbeReport {
    /** The peak memory of the process, in bytes. */
    readonly peakBytes: number;
}

/** Pulumi kills the process without a catchable signal, so the report is written repeatedly. */
const everyMs = 100;
const kilobyte = 1024;

const folder = process.env[variables.probe];
if (folder !== undefined && process.argv[1]?.includes("dynamic-provider")) {
    const write = () => {
        const report: ProbeReport = { peakBytes: process.resourceUsage().maxRSS * kilobyte };
        // A kill must not leave a partial report.
        const unfinished = join(folder, `${process.pid}.tmp`);
        writeFileSync(unfinished, JSON.stringify(report));
        renameSync(unfinished, join(folder, `${process.pid}.json`));
    };
    setInterval(write, everyMs).unref();
    process.on("exit", write);
}

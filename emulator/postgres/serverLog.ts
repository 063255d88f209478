import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "../world/state";

/** The log folder, relative to the folder of a server. */
export const logFolder = "log";
export const logName = "postgresql.log";
/** PostgreSQL replaces the file extension for the format jsonlog. */
const logFile = join(logFolder, "postgresql.json");
const maxBytes = 8 * 1024 * 1024;

/** The log of a server, oldest line first. Of a long log, only the end. */
export function readServerLog(folder: string): LogLine[] {
    const lines = tail(join(folder, logFile)).split("\n");
    return lines.flatMap((line) => {
        try {
            const { timestamp, error_severity, message } = JSON.parse(line) as Record<string, string | undefined>;
            const at = Date.parse(timestamp?.replace(" ", "T").replace(" UTC", "Z") ?? "");
            return Number.isNaN(at) ? [] : [{ at, severity: error_severity ?? "LOG", message: message ?? "", node: 0 }];
        } catch {
            // The first line may be truncated, and the last one may be incomplete.
            return [];
        }
    });
}

function tail(file: string): string {
    let descriptor: number;
    try {
        descriptor = openSync(file, "r");
    } catch {
        return "";
    }
    try {
        const { size } = fstatSync(descriptor);
        const buffer = Buffer.alloc(Math.min(size, maxBytes));
        const length = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
        return buffer.toString("utf8", 0, length);
    } finally {
        closeSync(descriptor);
    }
}

import { join } from "node:path";
import type { LogLine } from "../world/state";
import { readInside } from "./inside";
import type { ServerUser } from "./user";

/** The log folder, relative to the folder of a server. */
export const logFolder = "log";
export const logName = "postgresql.log";
/** PostgreSQL replaces the file extension for the format jsonlog. */
const logFile = join(logFolder, "postgresql.json");

/** The log of a server, oldest line first. Of a long log, only the end. */
export function readServerLog(folder: string, user: ServerUser): LogLine[] {
    const lines = readInside(user, join(folder, logFile)).split("\n");
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

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { atEnd } from "./atEnd";

/** A folder outside of the repository. It is removed after the tests of the file. */
export function newFolder(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "clouddb-test-")));
    atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    return folder;
}

/** The backend of Pulumi in this folder. The path of Windows has no third slash. */
export const backendIn = (folder: string): string =>
    process.platform === "win32" ? `file://${folder.replaceAll("\\", "/")}` : pathToFileURL(folder).href;

/** The checksums of a release, in the format of sha256sum. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const checksumFile = "SHA256SUMS";

/** Those of all files of the folder, without the file of the checksums. */
export function checksumsOf(folder) {
    const sumOf = (name) =>
        createHash("sha256")
            .update(readFileSync(join(folder, name)))
            .digest("hex");
    return readdirSync(folder)
        .filter((name) => name !== checksumFile)
        .sort()
        .map((name) => `${sumOf(name)}  ${name}\n`)
        .join("");
}

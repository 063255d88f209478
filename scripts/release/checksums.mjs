/** The checksums of a release, in the format of sha256sum. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const checksumFile = "SHA256SUMS";

/** Writes those of all other files to the folder, and returns them. */
export function writeChecksums(folder) {
    const names = readdirSync(folder).filter((name) => name !== checksumFile);
    const lineOf = (name) => `${hash("sha256", readFileSync(join(folder, name)))}  ${name}\n`;
    const sums = names.sort().map(lineOf).join("");
    writeFileSync(join(folder, checksumFile), sums);
    return sums;
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceInputs } from "../../provider/resources/service/inputs";
import { outside, passwordVariables } from "../support/cases/kind";
import { newFolder } from "../support/folder";

/** A password that neither the program nor the state contains. */
export type OutsideSource = Pick<ServiceInputs, "passwordFile" | "passwordVariable"> & { passwordVersion: number };

const folder = newFolder();

/** The password of each version, whatever its source is. */
export const passwordOfVersion = (version: unknown): string | undefined =>
    typeof version === "number" ? `${outside}${version - 1}` : undefined;

/** A variable and a file for each version. */
export const sources: readonly OutsideSource[] = passwordVariables.flatMap((passwordVariable, index) => {
    const passwordVersion = index + 1;
    const passwordFile = join(folder, `${passwordVersion}.txt`);
    writeFileSync(passwordFile, `${String(passwordOfVersion(passwordVersion))}\n`);
    return [
        { passwordVariable, passwordVersion },
        { passwordFile, passwordVersion },
    ];
});

import { execFileSync } from "node:child_process";
import { shellBlocksOf } from "../support/documents";
import { freePort, inOtherTerminal } from "../support/terminal";
import type { Language } from "./language";

export const page = "docs/languages.md";

/** Prints what the emulator has. */
export const stateOfEmulator =
    'curl -sS -H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN" $CLOUDDB_BASE_URL/../_emulator/state';

/** The lines of the page for a language, with an emulator of their own: those with the archive, and those with npm. */
export async function commandsOfFirstProject(language: Language): Promise<{ archiveLines: string; npmLines: string }> {
    const port = String(await freePort());
    const [installArchive, startFile, configure, createFromArchive, installPackage, startPackage, createFromPackage] =
        shellBlocksOf(page);
    const typed = (blocks: readonly (string | undefined)[]) =>
        inOtherTerminal(blocks.join("\n"))
            .replace("templates/python", `templates/${language}`)
            .replaceAll("8080", port);
    return {
        archiveLines: typed([installArchive, startFile, configure, createFromArchive]),
        npmLines: typed([installPackage, startPackage, configure, createFromPackage]),
    };
}

/** The folders in which Go keeps what it has downloaded and compiled. */
export function goCaches(): NodeJS.ProcessEnv {
    const names = ["GOMODCACHE", "GOCACHE"];
    const values = execFileSync("go", ["env", ...names], { encoding: "utf8" })
        .trim()
        .split("\n");
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

/** Files that a command generates. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as prettier from "prettier";
import { repositoryRoot } from "./repository.mjs";

/** Writes the files that differ. With --check it only reports them, and returns 1 if there are any. */
export async function writeGenerated(files, args, command) {
    const check = args.includes("--check");
    const stale = [];
    for (const [name, text] of Object.entries(files)) {
        const file = join(repositoryRoot, name);
        const options = { ...(await prettier.resolveConfig(file)), filepath: file };
        const formatted = name.endsWith(".json") ? text : await prettier.format(text, options);
        if (existsSync(file) && readFileSync(file, "utf8") === formatted) {
            continue;
        }
        stale.push(name);
        if (check) {
            continue;
        }
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, formatted);
    }
    const [names, failed] = [stale.join(", "), check && stale.length > 0];
    if (failed) {
        process.stderr.write(`Stale: ${names}. Run: ${command}\n`);
    } else {
        process.stdout.write(stale.length === 0 ? "All generated files are up to date.\n" : `Wrote ${names}.\n`);
    }
    return failed ? 1 : 0;
}

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
        if (!check) {
            mkdirSync(dirname(file), { recursive: true });
            writeFileSync(file, formatted);
        }
    }
    if (check && stale.length > 0) {
        process.stderr.write(`Stale: ${stale.join(", ")}. Run: ${command}\n`);
        return 1;
    }
    process.stdout.write(stale.length === 0 ? "All generated files are up to date.\n" : `Wrote ${stale.join(", ")}.\n`);
    return 0;
}

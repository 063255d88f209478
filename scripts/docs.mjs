/**
 * `npm run docs`: writes the pages of docs/ that follow from the code: its comments, its tables and the contract. With --check
 * it only tells whether a page is stale.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as prettier from "prettier";
import { bootstrap } from "./bootstrap.mjs";
import { sampleComment } from "./docs/comment.mjs";
import { emulatorParts } from "./docs/emulator.mjs";
import { lookupsPage } from "./docs/lookups.mjs";
import { operationsPage } from "./docs/operations.mjs";
import { resourcePages } from "./docs/resources.mjs";
import { fillIn, readSources } from "./docs/sources.mjs";
import { main, ROOT } from "./lib/repository.mjs";

/** Folder of pages all of which are generated; what is there beside them is stale. */
const GENERATED = join(ROOT, "docs", "resources");

const read = (/** @type {string} */ name) => readFileSync(join(ROOT, name), "utf8");

await main(async () => {
    const check = process.argv.includes("--check");
    await bootstrap();
    const sources = readSources(ROOT);
    const pages = {
        ...resourcePages(sources),
        "docs/lookups.md": lookupsPage(sources),
        "docs/operations.md": operationsPage(sources),
        "docs/emulator.md": fillIn(read("docs/emulator.md"), emulatorParts(sources)),
        "docs/pull-requests.md": fillIn(read("docs/pull-requests.md"), { comment: sampleComment() }),
    };
    const stale = existsSync(GENERATED)
        ? readdirSync(GENERATED)
              .map((name) => `docs/resources/${name}`)
              .filter((name) => !(name in pages))
        : [];
    for (const [name, text] of Object.entries(pages)) {
        const file = join(ROOT, name);
        const options = await prettier.resolveConfig(file);
        const page = await prettier.format(text, { ...options, filepath: file });
        if (existsSync(file) && readFileSync(file, "utf8") === page) continue;
        stale.push(relative(ROOT, file));
        if (check) continue;
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, page);
    }
    if (!check) {
        process.stdout.write(
            stale.length === 0 ? "The documentation is up to date.\n" : `Wrote ${stale.join(", ")}.\n`,
        );
        return 0;
    }
    if (stale.length > 0) process.stderr.write(`Stale: ${stale.join(", ")}. Run: npm run docs\n`);
    return stale.length > 0 ? 1 : 0;
});

/**
 * `npm run docs [-- --check]`: generates pages of docs/ from the code and the contract. `--published` changes all pages, once,
 * from the file of the package to its name.
 */
import { join } from "node:path";
import { emulatorParts } from "./docs/emulator.mjs";
import { functionsPage } from "./docs/functions.mjs";
import { fillIn } from "./docs/pages.mjs";
import { resourceList, resourcePages } from "./docs/resources.mjs";
import { load, readSources } from "./generate/sources.mjs";
import { published } from "./docs/published.mjs";
import { filesBelow, read, readJson } from "./lib/files.mjs";
import { writeGenerated } from "./lib/generated.mjs";
import { repositoryRoot } from "./lib/repository.mjs";

export async function run(args) {
    if (args.includes("--published")) {
        const files = ["README.md", ...["docs", "examples"].flatMap((folder) => pagesIn(folder))];
        return writeGenerated(Object.fromEntries(files.map((file) => [file, published(read(file))])), [], "");
    }
    // The test cases have values for each input.
    const [cases, steps, comment, { knownRegionValues: regions }] = await load(
        "tests/support/cases/index",
        "provider/model/step",
        "cli/planComment/comment",
        "provider/api/wire.gen",
    );
    const sources = { ...(await readSources()), cases, steps, regions };
    const pages = {
        ...resourcePages(sources),
        "docs/functions.md": await functionsPage(sources),
        "docs/emulator-reference.md": fillIn(read("docs/emulator-reference.md"), await emulatorParts(sources)),
        "docs/README.md": fillIn(read("docs/README.md"), { resources: resourceList(sources) }),
        ...Object.fromEntries(
            versioned.map((page) => [page, withVersion(read(page), readJson("package.json").version)]),
        ),
        "docs/pipelines.md": fillIn(read("docs/pipelines.md"), { comment: sampleComment(comment) }),
    };
    return writeGenerated(pages, args, "npm run docs");
}

const pagesIn = (folder) =>
    filesBelow(join(repositoryRoot, folder))
        .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
        .map((file) => `${folder}/${file}`);

/** The pages with the commands for an archive. */
const versioned = ["docs/languages.md", "docs/production.md"];

/** The archives, and the package of an installed plugin, have the version in their names. */
const withVersion = (page, version) => page.replace(/(?<=\bclouddb(?:-v| |@))\d+\.\d+\.\d+\b/g, version);

/** A comment on a pull request, without the mark by which the next run finds it. */
const sampleComment = ({ planComment }) =>
    planComment(readJson("scripts/docs/parts/preview.json")).replace(/^<!--.*$/gm, "");

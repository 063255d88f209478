/** `npm run docs [-- --check]`: generates pages of docs/ from the code and the contract. */
import { sampleComment } from "./docs/comment.mjs";
import { readCases } from "./docs/changes.mjs";
import { emulatorParts } from "./docs/emulator.mjs";
import { functionsPage } from "./docs/functions.mjs";
import { resourceList, resourcePages } from "./docs/resources.mjs";
import { fillIn, readSources } from "./docs/sources.mjs";
import { read, readJson } from "./lib/files.mjs";
import { writeGenerated } from "./lib/generated.mjs";
import { repositoryRoot } from "./lib/repository.mjs";

export async function run(args) {
    const sources = { ...(await readSources(repositoryRoot)), cases: await readCases() };
    const pages = {
        ...resourcePages(sources),
        "docs/functions.md": await functionsPage(sources),
        "docs/emulator-reference.md": fillIn(read("docs/emulator-reference.md"), emulatorParts(sources)),
        "docs/README.md": fillIn(read("docs/README.md"), { resources: resourceList(sources) }),
        "docs/languages.md": withVersion(read("docs/languages.md"), readJson("package.json").version),
        "docs/pipelines.md": fillIn(read("docs/pipelines.md"), { comment: sampleComment() }),
    };
    return writeGenerated(pages, args, "npm run docs");
}

/** The archives, and the package of an installed plugin, have the version in their names. */
const withVersion = (page, version) => page.replace(/(?<=\bclouddb(?:-v| |@))\d+\.\d+\.\d+\b/g, version);

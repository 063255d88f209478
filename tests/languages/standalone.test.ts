import { copyFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { buildArchives, thisPlatform } from "../support/archives";
import { newFolder } from "../support/folder";
import { runShell } from "../support/project";
import { commandsOfFirstProject, goCaches, stateOfEmulator } from "./firstProject";
import type { Language } from "./language";
import { newUser, pathWithoutNode } from "./withoutNode";

// Follows docs/languages.md from the archive of the plugin, with an empty home and without Node.js.

const languages: readonly Language[] =
    process.env.CLOUDDB_EXAMPLES === "all" ? ["yaml", "python", "go", "java"] : ["yaml"];

let archive = "";

beforeAll(async () => {
    archive = (await buildArchives(thisPlatform))[thisPlatform] ?? "";
});

test.each(languages)("without Node.js, the documented first project in %s creates a database", async (language) => {
    const path = pathWithoutNode(language);
    if (path === undefined) {
        return;
    }
    const folder = newFolder();
    copyFileSync(archive, join(folder, basename(archive)));
    const project = join(folder, "shop-python");
    // The language host that Go can build ignores `virtualenv`. It uses the folder without activating it.
    const activated = [join(project, "venv", "bin"), join(project, "bin"), path].join(delimiter);
    const { archiveLines } = await commandsOfFirstProject(language);

    const printed = await runShell(
        [
            "! command -v node npm",
            archiveLines,
            stateOfEmulator,
            "cat .gitignore",
            "pulumi destroy",
            stateOfEmulator,
        ].join("\n"),
        folder,
        { ...newUser(activated), ...goCaches() },
    );

    expect(printed).toMatch(/"status":"READY"[^]*^\.pulumi\/$[^]*"services":\[\]/m);
});

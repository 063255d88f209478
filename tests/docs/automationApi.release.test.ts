import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, linesOf } from "../support/documents";
import { newFolder } from "../support/folder";
import { runShell, startOutside, withPackages } from "../support/project";
import { freePort, inOtherTerminal } from "../support/terminal";

// Follows docs/pipelines.md in an empty folder.

const section = "docs/pipelines.md#automation-api";
test("the documented program creates a database with an inline program, and deletes it", async () => {
    const { above, user } = await startOutside(newFolder());
    const folder = join(above, "shop");
    mkdirSync(folder);
    const port = String(await freePort());
    const [program] = blocksOf(section, ["ts"]);
    writeFileSync(join(folder, "deploy.ts"), (program?.text ?? "").replaceAll("8080", port));

    const printed = await runShell(
        withPackages(inOtherTerminal(linesOf(section)).replaceAll("8080", port)),
        folder,
        user,
    );

    // The program prints its line between the update and the deletion.
    expect(printed).toMatch(/\+ 2 created[^]*^0 services[^]*- 2 deleted/m);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, linesOf, read } from "../support/documents";
import { newFolder } from "../support/folder";
import { runShell, startOutside, withPackages } from "../support/project";
import { freePort, inOtherTerminal } from "../support/terminal";

// Follows docs/automation-api.md in an empty folder.

const page = "docs/automation-api.md";
test("the documented program creates a database with an inline program, and deletes it", async () => {
    const { above, user } = await startOutside(newFolder());
    const folder = join(above, "shop");
    mkdirSync(folder);
    const port = String(await freePort());
    const [program] = blocksOf(page, ["ts"]);
    writeFileSync(join(folder, "deploy.ts"), (program?.text ?? "").replaceAll("8080", port));

    const printed = await runShell(withPackages(inOtherTerminal(linesOf(page)).replaceAll("8080", port)), folder, user);

    expect(printed).toMatch(/^0 services before\. The new one is on \S+\.$/m);
    expect(printed).toMatch(/Resources:\s+\+ 2 created/);
    expect(printed).toMatch(/Resources:\s+- 2 deleted/);
});

test("the page is short", () => {
    const words = read(page)
        .split(/\s+/)
        .filter((word) => /\w/.test(word));
    expect(words.length).toBeLessThan(500);
});

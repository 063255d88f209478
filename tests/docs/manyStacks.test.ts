import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellBlocksOf } from "../support/documents";
import { fromText, startProject } from "../support/project";

// Runs the loops of docs/many-stacks.md.

const program = (cpuMillis: number) =>
    `new (require("pulumi-clouddb").Service)("orders", { cpuMillis: ${cpuMillis}, memoryGbs: ${cpuMillis / 250} });`;

test("the loops list the plans, the drift and the orphans of all stacks, and an upgrade ends at a stack with a change", async () => {
    const [names = "", plans = "", drift = "", orphans = "", upgrade = "", ...others] =
        shellBlocksOf("docs/many-stacks.md");
    expect(others).toEqual([]);
    const { emulator, folder, shell } = await startProject(fromText(program(500)));
    const loop = (lines: string) => shell(`${names}\n${lines}`);
    await shell("pulumi stack init other && pulumi config set clouddb:deletionProtection false");
    const created = await loop(plans);
    expect(created.match(/^### `(other|test)` of `\w+`: 1 created$/gm)).toHaveLength(2);
    await loop("for stack in $stacks; do pulumi up --yes --skip-preview --stack $stack; done");
    expect(await loop(drift)).toBe("");
    expect(await loop(orphans)).toContain("no unmanaged resources. Managed by the given stacks: 2");

    // The new version, with the same program.
    emulator.clearJournal();
    await loop(upgrade);
    expect(emulator.changes()).toEqual([]);

    writeFileSync(join(folder, "index.js"), program(1000));
    expect(await loop(plans)).toMatch(
        /^### `other` of .*: 1 changed\n(> - .*restarts the service.*\n)\*\*Service `orders`\*\* will be changed\n1 resize /m,
    );
    expect(await loop(drift)).toMatch(/^### `other` of .*: drift, 1 changed/m);
    await loop(upgrade).catch(String);
    expect(emulator.changes()).toEqual([]);
});

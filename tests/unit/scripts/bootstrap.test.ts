import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { newFolder } from "../../support/folder";
import { evaluate } from "../../support/scripts";

/** Appends a line to a file under the lock of a folder, and reads what other processes have appended meanwhile. */
const append = (folder: string, line: string) =>
    evaluate(`
        const { appendFileSync, readFileSync } = await import("node:fs");
        const { withLock } = await load("engine/lock.mjs");
        return withLock(${JSON.stringify(join(folder, "lock"))}, "works", async () => {
            appendFileSync(${JSON.stringify(join(folder, "log"))}, ${JSON.stringify(line)});
            await new Promise((resolve) => setTimeout(resolve, 200));
            return readFileSync(${JSON.stringify(join(folder, "log"))}, "utf8");
        });`);

describe("the lock of an installation", () => {
    it("two concurrent processes work one after the other", async () => {
        const folder = newFolder();
        const seen = await Promise.all([append(folder, "a"), append(folder, "b")]);
        expect(seen.map((text) => String(text).length).sort()).toEqual([1, 2]);
    });

    it("the lock of a process that has ended is acquired", async () => {
        const folder = newFolder();
        const { pid } = spawnSync(process.execPath, ["-e", ""]);
        writeFileSync(join(folder, "lock"), `process ${pid} on ${hostname()}`);
        expect(await append(folder, "a")).toBe("a");
    });

    it("the lock of another host is not acquired until the file that the message names is deleted", async () => {
        const file = join(newFolder(), "lock");
        writeFileSync(file, "process 1 on elsewhere");
        const printed = await evaluate(`
            const { rmSync } = await import("node:fs");
            const { withLock } = await load("engine/lock.mjs");
            let printed = "";
            process.stderr.write = (text) => {
                printed += text;
                rmSync(/delete (\\S+)/.exec(text)[1]);
            };
            await withLock(${JSON.stringify(file)}, "installs Pulumi", () => undefined);
            return printed;`);
        expect(printed).toContain("for process 1 on elsewhere, which installs Pulumi. If it has ended, delete");
    });
});

it("the error of an older Node contains the required version and the download page", async () => {
    const message = await evaluate(`
        const { requireNode } = await load("lib/repository.mjs");
        requireNode("20.19.0");
        requireNode("22.0.0");
        try { requireNode("20.9.1"); } catch (error) { return error.message; }`);
    expect(message).toBe("Node 20.19 or newer is required, but this is 20.9.1. Install it from https://nodejs.org/.");
});

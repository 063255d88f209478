import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { newFolder } from "../../support/folder";
import { evaluate } from "../../support/scripts";

it("a process does not take the lock that another one has just taken from a dead holder", async () => {
    const file = join(newFolder(), "lock");
    writeFileSync(file, `process ${spawnSync("true").pid} on ${hostname()}`);
    const events = await evaluate(`
        const { default: fs } = await import("node:fs");
        const { syncBuiltinESMExports } = await import("node:module");
        const { default: timers } = await import("node:timers/promises");
        const { withLock } = await load("engine/lock.mjs");
        const file = ${JSON.stringify(file)};
        const events = [];
        const { renameSync, rmSync } = fs;
        // The other process is faster, between the decision of this one and its first change.
        const otherFirst = (change) => (...args) => {
            Object.assign(fs, { renameSync, rmSync });
            syncBuiltinESMExports();
            fs.writeFileSync(file, "process " + process.ppid + " on ${hostname()}");
            events.push("the other has it");
            // It is done during the first pause of this one.
            timers.setTimeout = async () => {
                events.push("the other is done");
                rmSync(file, { force: true });
            };
            syncBuiltinESMExports();
            return change(...args);
        };
        Object.assign(fs, { renameSync: otherFirst(renameSync), rmSync: otherFirst(rmSync) });
        syncBuiltinESMExports();
        await withLock(file, "works", () => events.push("this has it"));
        return [...events, ...fs.readdirSync(${JSON.stringify(join(file, ".."))})];`);
    expect(events).toEqual(["the other has it", "the other is done", "this has it"]);
});

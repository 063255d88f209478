import { readFileSync } from "node:fs";
import { startFastEmulator } from "../support/engine";
import { access, describeOnWindows, linuxPath, runLine, writeFile } from "./windows";

// The commands by the files that npm of Windows writes for them.

const cwd = "C:\\shop";

/** What the `.cmd` of npm runs. Wine's cmd.exe ends at its `goto` to a label that does not exist. */
function command(name: string): string {
    const text = readFileSync(linuxPath(`${cwd}\\node_modules\\.bin\\${name}.cmd`), "utf8");
    const [, script = ""] = /"%_prog%" +"%dp0%\\\.\.\\(\S+)" %\*\r\n$/.exec(text) ?? [];
    expect(script).toMatch(/^pulumi-clouddb\\dist\\/);
    return `node node_modules\\${script}`;
}

describeOnWindows("on Windows, a command of npm", () => {
    test("clouddb-plan-comment reads standard input with CRLF and a byte order mark, and has exit codes", async () => {
        const steps = [{ op: "create", urn: "urn:pulumi:dev::shop::clouddb:index:Service::orders" }];
        const preview = JSON.stringify({ config: {}, steps, diagnostics: [], duration: 1 }, undefined, 2);
        writeFile(`${cwd}\\plan.json`, `\ufeff${preview.replaceAll("\n", "\r\n")}\r\n`);
        const comment = await runLine(`${command("clouddb-plan-comment")} - < plan.json > comment.md`, cwd);
        expect([comment.code, comment.stderr]).toEqual([0, ""]);
        expect(readFileSync(linuxPath(`${cwd}\\comment.md`), "utf8")).toContain("### `dev` of `shop`: 1 created");
        writeFile(`${cwd}\\plan.json`, "no JSON\r\n");
        expect(await runLine(`${command("clouddb-plan-comment")} - < plan.json`, cwd)).toMatchObject({ code: 2 });
    });

    test("clouddb-orphans lists a service that is in none of the exported stacks, and has exit codes", async () => {
        const emulator = await startFastEmulator();
        const { id } = await emulator.createService({ name: "forgotten" });
        writeFile(`${cwd}\\state.json`, '\ufeff{ "version": 3,\r\n "deployment": { "resources": [] } }\r\n');
        const orphans = (args: string, env = access(emulator)) =>
            runLine(`${command("clouddb-orphans")} ${args}`, cwd, env);
        const found = await orphans("- < state.json");
        expect([found.code, found.stderr]).toEqual([1, expect.anything()]);
        expect(found.stdout).toContain(id);
        expect(await orphans("--delete-commands state.json")).toMatchObject({ code: 1 });
        expect(await orphans("C:\\missing.json")).toMatchObject({
            code: 2,
            stderr: expect.stringContaining("missing.json") as string,
        });
        emulator.reset();
        expect(await orphans("state.json")).toMatchObject({ code: 0 });
    });
});

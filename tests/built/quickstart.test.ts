import { spawn, spawnSync } from "node:child_process";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/documents";
import { newFolder } from "../support/folder";
import { evaluate } from "../support/scripts";

const argumentsOf = (pid: number) => spawnSync("ps", ["-o", "args=", "-p", String(pid)]).stdout.toString();

describe("the files of the quickstart", () => {
    /** A folder with the build of this repository, and statements that use its functions. */
    function clone() {
        const folder = newFolder();
        symlinkSync(join(root, "dist"), join(folder, "dist"));
        const run = (statements: string) =>
            evaluate(`
                const { folderOf, makeFolder, ensureSecrets } = await load("quickstart/folder.mjs");
                const { findEmulator, startEmulator, stopEmulator } = await load("quickstart/emulator.mjs");
                const folder = folderOf(${JSON.stringify(folder)});
                makeFolder(folder);
                const start = () => startEmulator(folder, { token: ensureSecrets(folder).token, build: "b1" });
                ${statements}`);
        const read = (name: string) => readFileSync(join(folder, ".quickstart", name), "utf8");
        return { folder: join(folder, ".quickstart"), run, read };
    }

    it("the emulator runs on after the script that started it, with a token that no other user can read", async () => {
        const { folder, run, read } = clone();
        await run("await start();");
        const { pid, page } = JSON.parse(read("emulator.process.json")) as { pid: number; page: string };
        expect(await run("return findEmulator(folder);")).toMatchObject({ pid, build: "b1" });
        // The page of an emulator with a token of its own asks for it if its address has no key.
        expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=.+/);
        const { token } = JSON.parse(read("secrets.json")) as { token: string };
        expect(token.length).toBeGreaterThanOrEqual(32);
        expect(argumentsOf(pid)).toContain("--project quickstart");
        expect(argumentsOf(pid) + read("emulator.process.json")).not.toContain(token);
        expect([join(folder, "secrets.json"), folder].map((file) => statSync(file).mode & 0o777)).toEqual([
            0o600, 0o700,
        ]);
        expect(await run("return stopEmulator(folder);")).toBe(true);
        // A process that has ended stays in the list, without its arguments, until its parent reads its exit code.
        expect(argumentsOf(pid)).not.toContain("--project");
    });

    it("another process that has the pid of the emulator is not stopped", async () => {
        const { folder, run } = clone();
        const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
        try {
            await run("ensureSecrets(folder);");
            const { pid } = other;
            writeFileSync(join(folder, "emulator.process.json"), JSON.stringify({ pid, url: "http://127.0.0.1:9/v1" }));
            expect(await run("return stopEmulator(folder);")).toBe(false);
            expect(other.exitCode ?? other.signalCode).toBeNull();
        } finally {
            other.kill("SIGKILL");
        }
    });
});

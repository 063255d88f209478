import { spawn, spawnSync } from "node:child_process";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/documents";
import { newFolder } from "../../support/folder";
import { evaluate } from "../../support/scripts";

const argumentsOf = (pid: number) => spawnSync("ps", ["-o", "args=", "-p", String(pid)]).stdout.toString();

it("the quickstart uses no account, stack or project of the user, no proxy, and no token in a preview", async () => {
    const emulator = { pid: 1, url: "http://127.0.0.1:5/v1" };
    const ofUser = {
        HOME: "/home/me",
        PULUMI_ACCESS_TOKEN: "mine",
        PULUMI_CONFIG_PASSPHRASE_FILE: "/mine",
        CLOUDDB_BASE_URL: "https://mine/v1",
        CLOUDDB_ALLOW_INSECURE: "true",
        no_proxy: "intern",
    };
    const cases = [{ env: ofUser, emulator }, { env: { CLOUDDB_ACCESS_TOKEN: "mine" } }];
    const [seen, inPreview] = (await evaluate(`
        const { folderOf } = await load("quickstart/folder.mjs");
        const { environmentOf } = await load("quickstart/pulumi.mjs");
        const secrets = { token: "T", passphrase: "P" };
        return ${JSON.stringify(cases)}.map((parts) =>
            environmentOf(folderOf("/a b"), { path: "/engine:/bin", secrets, ...parts }));`)) as object[];
    expect(JSON.stringify(seen)).not.toContain("mine");
    expect(seen).not.toHaveProperty("CLOUDDB_ALLOW_INSECURE");
    expect(seen).toMatchObject({
        HOME: "/home/me",
        PATH: "/engine:/bin",
        PULUMI_HOME: "/a b/.quickstart/pulumi-home",
        PULUMI_BACKEND_URL: "file:///a%20b/.quickstart/state",
        PULUMI_CONFIG_PASSPHRASE: "P",
        PULUMI_STACK: "dev",
        CLOUDDB_ACCESS_TOKEN: "T",
        CLOUDDB_BASE_URL: "http://127.0.0.1:5/v1",
        NO_PROXY: "intern,127.0.0.1,localhost",
    });
    expect(inPreview).toMatchObject({ PULUMI_STACK: "dev" });
    expect(inPreview).not.toHaveProperty("CLOUDDB_ACCESS_TOKEN");
});

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

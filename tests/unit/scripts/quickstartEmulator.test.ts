import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { FakeClone, removeClones } from "./fakeClone";

const children: ChildProcess[] = [];

afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await removeClones();
});

interface Noted {
    pid: number;
    url: string;
}

/** Statements that begin most scenes: the quickstart's folder, its secrets, and the functions around the emulator. */
const SETTING = `
    const { folderOf, makeFolder, ensureSecrets } = await load("quickstart/folder.mjs");
    const { findEmulator, startEmulator, stopEmulator, worldOf } = await load("quickstart/emulator.mjs");
    const folder = folderOf(process.cwd());
    makeFolder(folder);
    const { token } = ensureSecrets(folder);
    const start = () => startEmulator(folder, { token, build: "b1" });`;

function builtClone(): FakeClone {
    const clone = new FakeClone();
    clone.write("dist/emulator/cli.js", clone.read("fake/cli.js"));
    return clone;
}

const processFile = ".quickstart/emulator.process.json";
const noted = (clone: FakeClone): Noted => JSON.parse(clone.read(processFile)) as Noted;

/** A process that ended has a number until its parent looks, but no command line any more. */
function isRunning(pid: number): boolean {
    const commandLine = `/proc/${pid}/cmdline`;
    try {
        process.kill(pid, 0);
        return !existsSync(commandLine) || readFileSync(commandLine, "utf8") !== "";
    } catch {
        return false;
    }
}

/** A process that has nothing to do with us. */
function stranger(): number {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    children.push(child);
    return child.pid ?? 0;
}

describe("the emulator in the background", () => {
    it("outlives the script that started it, and the next one finds it", async () => {
        const clone = builtClone();
        await clone.evaluate(`${SETTING} await start();`);

        expect(await clone.evaluate(`${SETTING} return findEmulator(folder);`)).toEqual({
            ...noted(clone),
            build: "b1",
        });
        expect(isRunning(noted(clone).pid)).toBe(true);
    });

    it("gets a token that is on no command line and in no file that others can read", async () => {
        const clone = builtClone();

        const world = await clone.evaluate(`${SETTING} return worldOf(folder, await start());`);

        const { token } = JSON.parse(clone.read(".quickstart/secrets.json")) as { token: string };
        expect(token.length).toBeGreaterThanOrEqual(32);
        expect(JSON.stringify(world)).not.toContain(token);
        expect(clone.read(processFile)).not.toContain(token);
        const mode = (file: string): number => statSync(join(clone.root, file)).mode & 0o777;
        expect(mode(".quickstart/secrets.json")).toBe(0o600);
        expect(mode(".quickstart")).toBe(0o700);
    });

    it("is not taken for ours when another one answers at its address", async () => {
        const clone = builtClone();
        const other = builtClone();
        await clone.evaluate(SETTING);
        await other.evaluate(`${SETTING} await start();`);
        clone.write(processFile, other.read(processFile));

        expect(await clone.evaluate(`${SETTING} return findEmulator(folder);`)).toBeNull();
        expect(await clone.evaluate(`${SETTING} return stopEmulator(folder);`)).toBe(false);
        expect(isRunning(noted(other).pid)).toBe(true);
    });

    it("is stopped by reset, which leaves nothing behind", async () => {
        const clone = builtClone();
        await clone.evaluate(`${SETTING} await start();`);
        const { pid } = noted(clone);

        const { stdout } = await clone.runScript("quickstart", ["reset"]);

        expect(stdout).toBe("The emulator is stopped, and .quickstart is removed.\n");
        expect(isRunning(pid)).toBe(false);
        expect(clone.has(".quickstart")).toBe(false);
    });

    it("is never confused with a process that got its number", async () => {
        const clone = builtClone();
        const pid = stranger();
        await clone.evaluate(SETTING);
        clone.write(processFile, JSON.stringify({ pid, url: "http://127.0.0.1:9/v1" }));

        const { stdout } = await clone.runScript("quickstart", ["reset"]);

        expect(stdout).toBe(".quickstart is removed.\n");
        expect(isRunning(pid)).toBe(true);
    });

    it("that does not start says why, and how to start again", async () => {
        const clone = builtClone();

        const message = await clone.evaluate(`${SETTING}
            (await import("node:fs")).writeFileSync(folder.world, "broken");
            return start().catch((error) => error.message);`);

        expect(message).toContain("did not start: clouddb-emulator: the state is broken");
        expect(message).toContain("npm run quickstart -- reset");
    });
});

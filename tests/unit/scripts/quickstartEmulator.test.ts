import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { FakeClone } from "./fakeClone";

const children: ChildProcess[] = [];
const clones: FakeClone[] = [];

afterEach(async () => {
    for (const child of children.splice(0)) {
        child.kill("SIGKILL");
    }
    for (const clone of clones.splice(0)) {
        await clone.runScript("quickstart", ["reset"]);
    }
});

interface EmulatorProcess {
    pid: number;
    url: string;
    page: string;
}

/** Statements at the start of most tests: the folder of the quickstart, its secrets, and the functions of the emulator. */
const setup = `
    const { folderOf, makeFolder, ensureSecrets } = await load("quickstart/folder.mjs");
    const { findEmulator, startEmulator } = await load("quickstart/emulator.mjs");
    const folder = folderOf(process.cwd());
    makeFolder(folder);
    const { token } = ensureSecrets(folder);
    const start = () => startEmulator(folder, { token, build: "b1" });`;

function builtClone(): FakeClone {
    const clone = new FakeClone();
    clones.push(clone);
    clone.useEmulator();
    return clone;
}

const processFile = ".quickstart/emulator.process.json";
const processOf = (clone: FakeClone): EmulatorProcess => JSON.parse(clone.read(processFile)) as EmulatorProcess;

/** A process that has ended keeps its pid until its parent reads the exit code, but it has no command line. */
function isRunning(pid: number): boolean {
    const commandLine = `/proc/${pid}/cmdline`;
    try {
        process.kill(pid, 0);
        return !existsSync(commandLine) || readFileSync(commandLine, "utf8") !== "";
    } catch {
        return false;
    }
}

/** Starts an unrelated process. */
function startUnrelatedProcess(): number {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    children.push(child);
    return child.pid ?? 0;
}

describe("background emulator", () => {
    it("the emulator in the background keeps running after the script that started it, and the next script finds it", async () => {
        const clone = builtClone();
        await clone.evaluate(`${setup} await start();`);

        expect(await clone.evaluate(`${setup} return findEmulator(folder);`)).toEqual({
            ...processOf(clone),
            build: "b1",
        });
        expect(isRunning(processOf(clone).pid)).toBe(true);
        // The page of an emulator with a token of its own asks for it if its address has no key.
        expect(processOf(clone).page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=.+/);
    });

    it("the emulator in the background gets a token that no other user can read", async () => {
        const clone = builtClone();

        await clone.evaluate(`${setup} await start();`);

        const { token } = JSON.parse(clone.read(".quickstart/secrets.json")) as { token: string };
        expect(token.length).toBeGreaterThanOrEqual(32);
        const commandLine = execFileSync("ps", ["-o", "args=", "-p", String(processOf(clone).pid)]).toString();
        expect(commandLine).toContain("--project quickstart");
        expect(commandLine).not.toContain(token);
        expect(clone.read(processFile)).not.toContain(token);
        const mode = (file: string): number => statSync(join(clone.root, file)).mode & 0o777;
        expect(mode(".quickstart/secrets.json")).toBe(0o600);
        expect(mode(".quickstart")).toBe(0o700);
    });

    it("the emulator in the background is stopped by reset, which deletes all files", async () => {
        const clone = builtClone();
        await clone.evaluate(`${setup} await start();`);
        const { pid } = processOf(clone);

        const { stdout } = await clone.runScript("quickstart", ["reset"]);

        expect(stdout).toBe("The emulator is stopped, and .quickstart is removed.\n");
        expect(isRunning(pid)).toBe(false);
        expect(clone.has(".quickstart")).toBe(false);
    });

    it("the emulator in the background is not confused with another process that has its pid", async () => {
        const clone = builtClone();
        const pid = startUnrelatedProcess();
        await clone.evaluate(setup);
        clone.write(processFile, JSON.stringify({ pid, url: "http://127.0.0.1:9/v1" }));

        const { stdout } = await clone.runScript("quickstart", ["reset"]);

        expect(stdout).toBe(".quickstart is removed.\n");
        expect(isRunning(pid)).toBe(true);
    });

    it("the emulator in the background reports why it does not start, and how to start again", async () => {
        const clone = builtClone();

        const message = await clone.evaluate(`${setup}
            (await import("node:fs")).writeFileSync(folder.world, "broken");
            return start().catch((error) => error.message);`);

        expect(message).toMatch(/did not start: clouddb-emulator: .*emulator\.json/);
        expect(message).toContain("npm run quickstart -- reset");
    });
});

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
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
    const root = process.cwd();
    const folder = folderOf(root);
    makeFolder(folder);
    const { token } = ensureSecrets(folder);
    const start = () => startEmulator(folder, { root, token, build: "b1" });`;

function builtClone(): FakeClone {
    const clone = new FakeClone();
    clone.write("dist/emulator/cli.js", clone.read("fake/cli.js"));
    return clone;
}

const processFile = ".quickstart/emulator.process.json";
const noted = (clone: FakeClone): Noted => JSON.parse(clone.read(processFile)) as Noted;

function isRunning(pid: number): boolean {
    try {
        return process.kill(pid, 0);
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

describe("what is typed", () => {
    const parse = (typed: string[]): Promise<unknown> =>
        new FakeClone().evaluate(`
            const { parseArguments } = await load("quickstart/arguments.mjs");
            try { return parseArguments(${JSON.stringify(typed)}); }
            catch ({ message, exitCode }) { return { message, exitCode }; }`);

    it.each([
        [[], "up", []],
        [["--diff"], "up", ["--diff"]],
        [["preview", "--diff"], "preview", ["--diff"]],
        [["journal", "--all"], "journal", ["--all"]],
        [["pulumi", "stack", "output", "--help"], "pulumi", ["stack", "output", "--help"]],
        [["destroy", "--help"], "help", []],
    ])("%j means %s", async (typed, command, rest) => {
        expect(await parse(typed)).toEqual({ command, rest });
    });

    it("is refused when there is no such command, and the commands are named", async () => {
        expect(await parse(["dstroy"])).toEqual({
            message: expect.stringMatching(/^There is no command "dstroy"; there are up, preview, .*destroy/) as string,
            exitCode: 2,
        });
    });

    it("is refused when reset is given more, which might be meant for something else", async () => {
        expect(await parse(["reset", "orders"])).toMatchObject({ exitCode: 2 });
    });

    it("is answered with the help before anything is installed or written", async () => {
        const clone = new FakeClone();

        const { exitCode, stdout } = await clone.runScript("quickstart.mjs", ["--help"]);

        expect(exitCode).toBe(0);
        expect(stdout).toContain("npm run quickstart [-- COMMAND]");
        expect(clone.calls()).toEqual([]);
        expect(clone.has(".quickstart")).toBe(false);
    });
});

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
        await clone.evaluate(`${SETTING}`);
        await other.evaluate(`${SETTING} await start();`);
        clone.write(processFile, other.read(processFile));

        expect(await clone.evaluate(`${SETTING} return findEmulator(folder);`)).toBeNull();
        expect(await clone.evaluate(`${SETTING} return stopEmulator(folder, root);`)).toBe(false);
        expect(isRunning(noted(other).pid)).toBe(true);
    });

    it("is stopped by reset, which leaves nothing behind", async () => {
        const clone = builtClone();
        await clone.evaluate(`${SETTING} await start();`);
        const { pid } = noted(clone);

        const { stdout } = await clone.runScript("quickstart.mjs", ["reset"]);

        expect(stdout).toBe("The emulator is stopped, and .quickstart is removed.\n");
        expect(isRunning(pid)).toBe(false);
        expect(clone.has(".quickstart")).toBe(false);
    });

    it("is stopped by reset although its token and its address are lost", async () => {
        const clone = builtClone();
        await clone.evaluate(`${SETTING} await start();`);
        const { pid } = noted(clone);
        clone.remove(".quickstart/secrets.json");
        clone.remove(processFile);

        await clone.runScript("quickstart.mjs", ["reset"]);

        expect(isRunning(pid)).toBe(false);
    });

    it("is never confused with a process that got its number", async () => {
        const clone = builtClone();
        const pid = stranger();
        await clone.evaluate(SETTING);
        clone.write(processFile, JSON.stringify({ pid, url: "http://127.0.0.1:9/v1" }));
        clone.write(".quickstart/emulator.json.lock", String(pid));

        const { stdout } = await clone.runScript("quickstart.mjs", ["reset"]);

        expect(stdout).toBe(".quickstart is removed.\n");
        expect(isRunning(pid)).toBe(true);
    });

    it("that does not start says why, and how to begin anew", async () => {
        const clone = builtClone();

        const message = await clone.evaluate(`${SETTING}
            (await import("node:fs")).writeFileSync(folder.world, "broken");
            return start().catch((error) => error.message);`);

        expect(message).toContain("did not start: clouddb-emulator: the state is broken");
        expect(message).toContain("npm run quickstart -- reset");
    });
});

describe("what Pulumi gets to see", () => {
    const environment = (env: Record<string, string>, emulator = true): Promise<unknown> =>
        new FakeClone().evaluate(`
            const { folderOf } = await load("quickstart/folder.mjs");
            const { pulumiEnvironment } = await load("quickstart/pulumi.mjs");
            return pulumiEnvironment(folderOf("/a b"), {
                path: "/engine:/bin",
                secrets: { token: "T", passphrase: "P" },
                ${emulator ? 'emulator: { pid: 1, url: "http://127.0.0.1:5/v1" },' : ""}
                env: ${JSON.stringify(env)},
            });`);

    it("has nothing of the user's own account, stack and project", async () => {
        const seen = await environment({
            HOME: "/home/me",
            PULUMI_ACCESS_TOKEN: "mine",
            PULUMI_CONFIG_PASSPHRASE_FILE: "/mine",
            CLOUDDB_BASE_URL: "https://mine/v1",
            CLOUDDB_ALLOW_INSECURE: "true",
        });

        expect(JSON.stringify(seen)).not.toContain("mine");
        expect(seen).not.toHaveProperty("CLOUDDB_ALLOW_INSECURE");
        expect(seen).toMatchObject({
            HOME: "/home/me",
            PATH: "/engine:/bin",
            PULUMI_HOME: "/a b/.quickstart/pulumi-home",
            PULUMI_BACKEND_URL: "file:///a%20b/.quickstart/state",
            PULUMI_CONFIG_PASSPHRASE: "P",
            PULUMI_STACK: "quickstart",
            CLOUDDB_ACCESS_TOKEN: "T",
            CLOUDDB_BASE_URL: "http://127.0.0.1:5/v1",
        });
    });

    it("reaches this computer without the user's proxy", async () => {
        expect(await environment({ no_proxy: "intern" })).toMatchObject({ NO_PROXY: "intern,127.0.0.1,localhost" });
    });

    it("holds no token in a preview, which needs none", async () => {
        expect(await environment({ CLOUDDB_ACCESS_TOKEN: "mine" }, false)).not.toHaveProperty("CLOUDDB_ACCESS_TOKEN");
    });
});

describe("what it keeps", () => {
    it("is not guessed at when the passphrase of an existing stack is lost", async () => {
        const clone = builtClone();
        await clone.evaluate(SETTING);
        clone.write(".quickstart/state/.pulumi/stacks/clouddb-quickstart/quickstart.json", "{}");
        clone.write(".quickstart/secrets.json", "half of it");

        await expect(clone.evaluate(SETTING)).rejects.toThrow("npm run quickstart -- reset");
    });

    it("may be nothing, and then there is nothing to destroy, forget or list", async () => {
        const clone = new FakeClone();

        const said = await Promise.all(
            ["destroy", "reset", "journal"].map((name) => clone.runScript("quickstart.mjs", [name])),
        );

        expect(said.map(({ stdout, stderr }) => stdout + stderr)).toEqual([
            "There is nothing to destroy.\n",
            "There is nothing to forget.\n",
            "error: The emulator does not run; npm run quickstart starts it.\n",
        ]);
        expect(clone.calls()).toEqual([]);
    });
});

describe("what it shows", () => {
    const entries = [
        { at: 0, method: "GET", path: "/v1/projects/quickstart/vpcs", operationId: "listVpcs", status: 200 },
        {
            at: 0,
            method: "POST",
            path: "/v1/projects/quickstart/vpcs",
            operationId: "createVpc",
            status: 201,
            body: { name: "n" },
        },
        { at: 0, method: "GET", path: "/v1/projects/quickstart/services/a", operationId: "getService", status: 404 },
        { at: 0, method: "GET", path: "/v1/projects/quickstart/services/a", operationId: "getService", status: 200 },
        { at: 0, method: "GET", path: "/v1/projects/quickstart/services/a", operationId: "getService", status: 200 },
        {
            at: 0,
            method: "POST",
            path: "/v1/projects/quickstart/services/a/resize",
            operationId: "resizeService",
            status: 202,
        },
    ];
    const text = (call: string): Promise<unknown> =>
        new FakeClone().evaluate(`
            const text = await load("quickstart/text.mjs");
            const entries = ${JSON.stringify(entries)};
            return text.${call};`);
    const withoutTime = (lines: unknown): string[] =>
        (lines as string[]).map((line) => line.replace(/^[\d:]{8} {2}/, ""));

    it("is a journal in which reads in a row are one line, unless they failed", async () => {
        expect(withoutTime(await text("journalTable(entries)"))).toEqual([
            "     GET   1 read: listVpcs",
            '201  POST  /vpcs  {"name":"n"}',
            "404  GET   /services/a",
            "     GET   2 reads: 2 getService",
            "202  POST  /services/a/resize",
        ]);
    });

    it("is a journal of each request when all are wanted", async () => {
        expect(await text("journalTable(entries, { all: true })")).toHaveLength(entries.length);
    });

    it("is cut at the width of the terminal", async () => {
        const lines = (await text("journalTable(entries, { width: 30 })")) as string[];
        expect(Math.max(...lines.map((line) => line.length))).toBe(30);
    });

    it("is a count of the requests of a run", async () => {
        expect(await text("countRequests(entries)")).toBe("createVpc, resizeService, 4 reads");
        expect(await text("countRequests([])")).toBe("none");
    });
});

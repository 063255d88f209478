import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Sandbox, removeSandboxes } from "./sandbox";

afterEach(removeSandboxes);

/** A machine with a Go, an empty cache, and the path of the lock that a run would take. */
async function machineWithoutEngine(): Promise<{ machine: Sandbox; lockFile: string }> {
    const machine = new Sandbox();
    const folder = dirname(await machine.fillCache());
    rmSync(folder, { recursive: true });
    machine.goOnPath();
    return { machine, lockFile: `${folder}.lock` };
}

function pidThatIsGone(): number {
    return spawnSync(process.execPath, ["-e", ""]).pid;
}

function isRunning(pid: number): boolean {
    try {
        return process.kill(pid, 0);
    } catch {
        return false;
    }
}

describe("two runs at the same time", () => {
    it("build once; the second says for whom it waits, and has the same engine", async () => {
        const machine = new Sandbox();
        machine.goOnPath();
        const go = readFileSync(join(machine.path, "go"), "utf8").split("\n").slice(3).join("\n");
        machine.goOnPath({ build: `while [ ! -e "${machine.root}/go-on" ]; do sleep 0.05; done\n${go}` });

        const first = machine.start();
        await first.says("building");
        const second = machine.start();
        await second.says(`for process ${first.process.pid} on ${hostname()}`);
        writeFileSync(join(machine.root, "go-on"), "");
        const ends = await Promise.all([first.ended, second.ended]);

        expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
        expect(ends[0].stdout).toBe(ends[1].stdout);
        expect(machine.calls("go").filter((call) => call.startsWith("go build"))).toHaveLength(2); // one for each program
        expect(machine.cached()).toHaveLength(1);
    });

    it("build once when both are calls in one process", async () => {
        const machine = new Sandbox();
        machine.goOnPath();

        const sources = await machine.evaluate(
            "Promise.all([setup.ensureEngine(), setup.ensureEngine()]).then((engines) => engines.map((e) => e.source))",
        );

        expect(sources).toEqual(["built", "cache"]);
    });

    it("the second does the work when the first fails", async () => {
        const machine = new Sandbox();
        machine.goOnPath({ build: `while [ ! -e "${machine.root}/go-on" ]; do sleep 0.05; done\nexit 1` });
        const first = machine.start();
        await first.says("building");
        const second = machine.start();
        await second.says("for process");

        machine.goOnPath();
        writeFileSync(join(machine.root, "go-on"), "");

        expect((await first.ended).exitCode).toBe(1);
        expect((await second.ended).exitCode).toBe(0);
    });
});

describe("a lock", () => {
    it("of a process that is gone is taken over, and what that left is removed", async () => {
        const { machine, lockFile } = await machineWithoutEngine();
        const pid = pidThatIsGone();
        writeFileSync(lockFile, JSON.stringify({ pid, host: hostname(), since: "2026-01-01T00:00:00.000Z" }));
        const host = hostname().replace(/[^\w.]/g, "_");
        mkdirSync(lockFile.replace(/\.lock$/, `.tmp-${host}-${pid}`));

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(0);
        expect(stderr).not.toContain("wait");
        expect(machine.cached()).toEqual([basename(lockFile, ".lock")]);
    });

    it("of another host is waited for while it is touched", async () => {
        const { machine, lockFile } = await machineWithoutEngine();
        writeFileSync(lockFile, JSON.stringify({ pid: 1, host: "elsewhere", since: "2026-01-01T00:00:00.000Z" }));

        const run = machine.start();
        await run.says("for process 1 on elsewhere");
        expect(machine.calls("go")).toEqual([]);
        rmSync(lockFile);

        expect((await run.ended).exitCode).toBe(0);
    });

    it.each(["", '{"pid":1,"host":"elsewhere"}'])(
        "that nobody has touched for long is taken over: '%s'",
        async (text) => {
            const { machine, lockFile } = await machineWithoutEngine();
            writeFileSync(lockFile, text);
            const longAgo = new Date(Date.now() - 10 * 60_000);
            utimesSync(lockFile, longAgo, longAgo);

            expect((await machine.setUp()).exitCode).toBe(0);
            expect(existsSync(lockFile)).toBe(false);
        },
    );
});

describe("a run that is interrupted", () => {
    it.each(["SIGINT", "SIGTERM"] as const)(
        "by %s ends what it started, and leaves neither lock nor temp folder",
        async (signal) => {
            const machine = new Sandbox();
            machine.goOnPath({ build: `sleep 60 & echo "$$ $!" > "${machine.root}/pids"; wait` });
            const run = machine.start();
            const pids = join(machine.root, "pids");
            while (!existsSync(pids) || readFileSync(pids, "utf8") === "") await sleep(20);

            run.process.kill(signal);
            const ended = await run.ended;

            expect(ended).toMatchObject({ signal, stdout: "" });
            // Dead at once, but listed until init has collected them.
            const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
            while (started.some(isRunning)) await sleep(20);
            expect(machine.cached()).toEqual([]);
        },
    );

    it("while it waits leaves the other's lock alone", async () => {
        const { machine, lockFile } = await machineWithoutEngine();
        writeFileSync(lockFile, JSON.stringify({ pid: 1, host: "elsewhere", since: "2026-01-01T00:00:00.000Z" }));
        const run = machine.start();
        await run.says("for process");

        run.process.kill("SIGTERM");

        expect(await run.ended).toMatchObject({ signal: "SIGTERM" });
        expect(readdirSync(dirname(lockFile))).toContain(basename(lockFile));
    });
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { Sandbox, removeSandboxes } from "./sandbox";

afterEach(removeSandboxes);

/** A machine with Go and an empty cache, and the path of the lock that a run acquires. */
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

describe("two concurrent runs", () => {
    it("two concurrent runs build once: the second reports the process that it waits for, and uses the same engine", async () => {
        const machine = new Sandbox();
        machine.goOnPath();
        const go = readFileSync(join(machine.path, "go"), "utf8").split("\n").slice(3).join("\n");
        machine.goOnPath({ build: `while [ ! -e "${machine.root}/go-on" ]; do sleep 0.05; done\n${go}` });

        const first = machine.start();
        await first.says("from a build");
        const second = machine.start();
        await second.says(`for process ${first.process.pid} on ${hostname()}`);
        writeFileSync(join(machine.root, "go-on"), "");
        const ends = await Promise.all([first.ended, second.ended]);

        expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
        expect(ends[0].stdout).toBe(ends[1].stdout);
        expect(machine.calls("go").filter((call) => call.startsWith("go build"))).toHaveLength(2); // one for each program
        expect(machine.cached()).toHaveLength(1);
    });

    it("two concurrent calls in one process build once", async () => {
        const machine = new Sandbox();
        machine.goOnPath();

        const sources = await machine.evaluate(
            "Promise.all([setup.ensureEngine(), setup.ensureEngine()]).then((engines) => engines.map((e) => e.source))",
        );

        expect(sources).toEqual(["build", "cache"]);
    });

    it("the second of two concurrent runs installs the engine if the first fails", async () => {
        const machine = new Sandbox();
        machine.goOnPath({ build: `while [ ! -e "${machine.root}/go-on" ]; do sleep 0.05; done\nexit 1` });
        const first = machine.start();
        await first.says("from a build");
        const second = machine.start();
        await second.says("for process");

        machine.goOnPath();
        writeFileSync(join(machine.root, "go-on"), "");

        expect((await first.ended).exitCode).toBe(1);
        expect((await second.ended).exitCode).toBe(0);
    });
});

describe("locks", () => {
    it("a lock of a process that has ended is acquired, and the files of that process are deleted", async () => {
        const { machine, lockFile } = await machineWithoutEngine();
        const pid = pidThatIsGone();
        writeFileSync(lockFile, `process ${pid} on ${hostname()}, lock 1`);
        mkdirSync(lockFile.replace(/\.lock$/, `.tmp-${pid}`));

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(0);
        expect(stderr).not.toContain("wait");
        expect(machine.cached()).toEqual([basename(lockFile, ".lock")]);
    });

    it("a lock of another host is respected while that host touches it", async () => {
        const { machine, lockFile } = await machineWithoutEngine();
        writeFileSync(lockFile, "process 1 on elsewhere, lock 1");

        const run = machine.start();
        await run.says("for process 1 on elsewhere");
        expect(machine.calls("go")).toEqual([]);
        rmSync(lockFile);

        expect((await run.ended).exitCode).toBe(0);
    });

    it.each(["", "process 1 on elsewhere, lock 1"])(
        "a lock that was not touched for minutes is acquired: '%s'",
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

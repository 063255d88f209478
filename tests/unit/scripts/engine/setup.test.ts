import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { fakeInstaller, Sandbox } from "./sandbox";

describe("an engine on PATH", () => {
    it("an engine on PATH is used if it is new enough, and neither PATH nor the home folder changes", async () => {
        const machine = new Sandbox();
        machine.pulumiOnPath("3.150.0");
        machine.program("path/pulumi-language-nodejs", "");

        const answer = await machine.evaluate(
            'setup.ensureEngine().then((engine) => ({ engine, path: setup.pathWithEngine(engine, "/first:/second") }))',
        );

        expect(answer).toEqual({
            engine: { bin: machine.path, version: "3.150.0", source: "path" },
            path: "/first:/second",
        });
        expect(existsSync(join(machine.home, ".cache"))).toBe(false);
    });

    it.each([
        { reason: "an old one uses an older protocol", version: "3.149.9", host: true, says: "older than 3.150.0" },
        {
            reason: "one without a language host may be the npm package pulumi, which would start a download",
            version: "3.250.0",
            host: false,
            says: "has no pulumi-language-nodejs",
        },
        { reason: "it does not run", version: undefined, host: true, says: "does not print its version" },
    ])("an engine on PATH is not used: $reason", async ({ version, host, says }) => {
        const machine = new Sandbox();
        machine.program("path/pulumi", version === undefined ? "echo broken; exit 3" : `echo v${version}`);
        if (host) {
            machine.program("path/pulumi-language-nodejs", "");
        }

        const { exitCode, stdout, stderr } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        expect(stderr).toContain(says);
        expect(machine.calls("pulumi")).toHaveLength(host ? 1 : 0);
    });
});

test("an engine in the cache is used without a download or a build, and its folder is the first one on PATH", async () => {
    const machine = new Sandbox();
    const bin = await machine.fillCache();
    machine.curlOnPath(fakeInstaller);

    const answer = await machine.evaluate(
        'setup.ensureEngine().then((engine) => ({ engine, path: setup.pathWithEngine(engine, "/usr/bin") }))',
    );

    expect(answer).toEqual({ engine: { bin, version: "3.250.0", source: "cache" }, path: `${bin}:/usr/bin` });
    expect([...machine.calls("curl"), ...machine.calls("go")]).toEqual([]);
});

describe("the installation", () => {
    it("Pulumi's installer is tried first, with one exact version", async () => {
        const machine = new Sandbox();
        machine.curlOnPath(fakeInstaller);
        machine.goOnPath();

        const engine = await machine.evaluate("setup.ensureEngine()");

        const bin = join(machine.cacheRoot, machine.cached()[0] ?? "", "bin");
        expect(engine).toEqual({ bin, version: "3.250.0", source: "install" });
        expect(readdirSync(bin).sort()).toEqual(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
        expect(machine.calls("go")).toEqual([]);
    });

    it("Pulumi's installer is followed by the build if the download fails, with a line that contains the reason", async () => {
        const machine = new Sandbox();
        machine.curlOnPath();
        machine.goOnPath();

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(0);
        expect(stderr).toContain("could not resolve host");
        expect(stderr).toMatch(/build {5}Pulumi 3\.250\.0 from .* about 4 minutes/);
    });

    it("Pulumi's installer is followed by the build if it installs another version", async () => {
        const machine = new Sandbox();
        machine.curlOnPath(fakeInstaller.replace("version=$2", "version=3.1.0"));
        machine.goOnPath();

        expect(await machine.evaluate("setup.ensureEngine()")).toMatchObject({ source: "build" });
    });

    it("the build ignores the Go configuration of the user, deletes its files if it fails, and prints the end of its output", async () => {
        const machine = new Sandbox();
        Object.assign(machine.env, { GOFLAGS: "-mod=vendor", GOOS: "plan9", CGO_ENABLED: "1", GOWORK: "/go.work" });
        machine.goOnPath({
            build: 'echo half > "$GOTMPDIR/half"; echo "$GOFLAGS $GOOS $CGO_ENABLED $GOWORK" >&2; exit 1',
        });

        const { exitCode, stdout, stderr } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        expect(stderr).toContain(`| -mod=readonly ${process.platform} 0 off\n`);
        expect(machine.cached()).toEqual([]);
    });

    it("the error without an engine lists the attempts and three remedies", async () => {
        const { exitCode, stdout, stderr } = await new Sandbox().setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        const error = stderr.slice(stderr.indexOf("error: "));
        for (const attempt of ["no `pulumi` on PATH", "nothing in", "spawn curl ENOENT", "spawn go ENOENT"]) {
            expect(error).toContain(attempt);
        }
        expect(error).toMatch(/1\. install Pulumi .*docs\/install.*2\. .*get\.pulumi\.com.*3\. install Go 1\.25\.11/s);
        expect(stderr).not.toMatch(/^\s+at /m);
    });

    it("the error without an engine contains the version of an old Go and the required version", async () => {
        const machine = new Sandbox();
        machine.goOnPath({ version: "go1.25.10" });

        expect((await machine.setUp()).stderr).toContain("Go is 1.25.10, but 1.25.11 or newer is required");
    });
});

describe("a language host", () => {
    it("a language host is built once and then found in the cache", async () => {
        const machine = new Sandbox();
        machine.goOnPath();

        const built = await machine.evaluate('setup.ensureTool("go")');
        const cached = await machine.evaluate('setup.ensureTool("go")');

        expect(built).toMatchObject({ version: "3.66.0", source: "build" });
        expect(cached).toEqual({ ...(built as object), source: "cache" });
        expect(machine.calls("go").filter((call) => call.startsWith("go build"))).toHaveLength(1);
    });

    it("a language host on PATH is used if all its programs are there", async () => {
        const machine = new Sandbox();
        machine.goOnPath({ build: "exit 1" });
        machine.program("path/pulumi-language-python", "");
        const ensure = 'setup.ensureTool("python").catch(({ name }) => name)';

        expect(await machine.evaluate(ensure)).toBe("ScriptError");
        machine.program("path/pulumi-language-python-exec", "");
        expect(await machine.evaluate(ensure)).toMatchObject({ bin: machine.path, source: "path" });
    });
});

describe("concurrent runs", () => {
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

    /** The lock that a run acquires, with this text, on a machine with Go and an empty cache. */
    async function locked(text: string): Promise<{ machine: Sandbox; lockFile: string }> {
        const machine = new Sandbox();
        const folder = dirname(await machine.fillCache());
        rmSync(folder, { recursive: true });
        const lockFile = `${folder}.lock`;
        writeFileSync(lockFile, text);
        return { machine, lockFile };
    }

    it("a lock of a process that has ended is acquired, and the files of that process are deleted", async () => {
        const { pid } = spawnSync(process.execPath, ["-e", ""]);
        const { machine, lockFile } = await locked(`process ${pid} on ${hostname()}`);
        mkdirSync(lockFile.replace(/\.lock$/, `.tmp-${pid}`));

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(0);
        expect(stderr).not.toContain("wait");
        expect(machine.cached()).toEqual([basename(lockFile, ".lock")]);
    });

    it("a lock of another host is not acquired until the file that the message names is deleted", async () => {
        const { machine, lockFile } = await locked("process 1 on elsewhere");

        const run = machine.start();
        await run.says(`for process 1 on elsewhere, which installs Pulumi. If it has ended, delete ${lockFile}`);
        expect(machine.calls("go")).toEqual([]);
        rmSync(lockFile);

        expect((await run.ended).exitCode).toBe(0);
        expect(existsSync(lockFile)).toBe(false);
    });
});

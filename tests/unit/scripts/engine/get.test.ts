import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeInstaller, Sandbox, removeSandboxes } from "./sandbox";

afterEach(removeSandboxes);

const remedies = [/1\. install Pulumi .*docs\/install/, /2\. .*get\.pulumi\.com/, /3\. install Go 1\.25\.11/];
const stackTrace = /^\s+at /m;

describe("installer", () => {
    it("Pulumi's installer is tried first, with one exact version", async () => {
        const machine = new Sandbox();
        machine.curlOnPath(fakeInstaller);
        machine.goOnPath();

        const engine = await machine.evaluate("setup.ensureEngine()");

        const bin = join(machine.cacheRoot, machine.cached()[0] ?? "", "bin");
        expect(engine).toEqual({ bin, version: "3.250.0", source: "install" });
        expect(readdirSync(bin).sort()).toEqual(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
        expect(machine.cached()).toHaveLength(1);
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

    it.each([
        ["installs nothing", "exit 0"],
        ["installs another version", fakeInstaller.replace("version=$2", "version=3.1.0")],
    ])("Pulumi's installer is followed by the build if it %s", async (_, installer) => {
        const machine = new Sandbox();
        machine.curlOnPath(installer);
        machine.goOnPath();

        expect(await machine.evaluate("setup.ensureEngine()")).toMatchObject({ source: "build" });
    });
});

describe("build", () => {
    it("the build of the engine adds the dynamic plugin of the installed @pulumi/pulumi to the built programs", async () => {
        const machine = new Sandbox();
        const bin = await machine.fillCache();

        expect(readFileSync(join(bin, "pulumi-resource-pulumi-nodejs"), "utf8")).toContain("echo plugin");
    });

    it("the build of the engine ignores the Go configuration of the user", async () => {
        const machine = new Sandbox();
        Object.assign(machine.env, {
            GOFLAGS: "-mod=vendor",
            GOOS: "plan9",
            CGO_ENABLED: "1",
            GOWORK: "/some/go.work",
        });
        machine.goOnPath({ build: 'echo "$GOFLAGS $GOOS $CGO_ENABLED $GOWORK"; exit 1' });

        const { stderr } = await machine.setUp();

        expect(stderr).toContain(`| -mod=readonly ${process.platform} 0 off\n`);
    });

    it("the build of the engine deletes its files if it fails, and prints the end of its output", async () => {
        const machine = new Sandbox();
        machine.goOnPath({
            build: 'echo "something half" > "$GOTMPDIR/half"; echo "no space left on device" >&2; exit 1',
        });

        const { exitCode, stdout, stderr } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        expect(machine.cached()).toEqual([]);
        expect(stderr).toContain("| no space left on device");
    });

    it("the build of the engine deletes its files if only the second program fails", async () => {
        const machine = new Sandbox();
        machine.goOnPath();
        const build = readFileSync(join(machine.path, "go"), "utf8").split("\n").slice(3).join("\n");
        machine.goOnPath({ build: `case "$*" in *language-nodejs) exit 2 ;; esac\n${build}` });

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(1);
        expect(stderr).toMatch(/go build: .* exit code 2: .*pulumi-language-nodejs/);
        expect(machine.cached()).toEqual([]);
    });
});

describe("if there is no engine and none can be installed", () => {
    it("the error without an engine lists the attempts and three remedies", async () => {
        const machine = new Sandbox();

        const { exitCode, stdout, stderr } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        const error = stderr.slice(stderr.indexOf("error: "));
        for (const attempt of ["no `pulumi` on PATH", "nothing in", "spawn curl ENOENT", "spawn go ENOENT"]) {
            expect(error).toContain(attempt);
        }
        for (const way of remedies) {
            expect(error).toMatch(way);
        }
        expect(stderr).not.toMatch(stackTrace);
    });

    it("the error without an engine contains the version of an old Go and the required version", async () => {
        const machine = new Sandbox();
        machine.goOnPath({ version: "go1.25.10" });

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(1);
        expect(stderr).toContain("Go is 1.25.10, but 1.25.11 or newer is required");
        expect(machine.calls("go")).toEqual(["go version"]);
    });

    it("a home folder that is not writable is an error of one line with a remedy", async () => {
        const machine = new Sandbox();
        writeFileSync(join(machine.home, ".cache"), "a file in the way");

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(1);
        expect(stderr).toContain("Set XDG_CACHE_HOME to a writable folder.");
        expect(stderr).not.toMatch(stackTrace);
    });

    it("the function ensureEngine throws an error with the remedies", async () => {
        const machine = new Sandbox();

        const error = await machine.evaluate("setup.ensureEngine().catch(({ name, message }) => ({ name, message }))");

        expect(error).toEqual({ name: "ScriptError", message: expect.stringMatching(remedies[0] ?? "") as string });
        expect(existsSync(machine.cacheRoot)).toBe(true);
    });
});

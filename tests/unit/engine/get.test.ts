import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { INSTALLER, Sandbox, removeSandboxes } from "./sandbox";

afterEach(removeSandboxes);

const WAYS_OUT = [/1\. install Pulumi .*docs\/install/, /2\. .*get\.pulumi\.com/, /3\. install Go 1\.25\.11/];
const A_STACK = /^\s+at /m;

describe("Pulumi's installer", () => {
    it("is tried first, with one exact version", async () => {
        const machine = new Sandbox();
        machine.curlOnPath(INSTALLER);
        machine.goOnPath();

        const engine = await machine.evaluate("setup.ensureEngine()");

        const bin = join(machine.cacheRoot, machine.cached()[0] ?? "", "bin");
        expect(engine).toEqual({ bin, version: "3.250.0", source: "install" });
        expect(readdirSync(bin).sort()).toEqual(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
        expect(machine.cached()).toHaveLength(1);
        expect(machine.calls("go")).toEqual([]);
    });

    it("is followed by the build when it cannot be downloaded, and a line says why", async () => {
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
        ["installs another version", INSTALLER.replace("version=$2", "version=3.1.0")],
    ])("is followed by the build when it %s", async (_, installer) => {
        const machine = new Sandbox();
        machine.curlOnPath(installer);
        machine.goOnPath();

        expect(await machine.evaluate("setup.ensureEngine()")).toMatchObject({ source: "build" });
    });
});

describe("the build", () => {
    it("puts the dynamic plugin of the installed @pulumi/pulumi beside what it builds", async () => {
        const machine = new Sandbox();
        const bin = await machine.fillCache();

        expect(readFileSync(join(bin, "pulumi-resource-pulumi-nodejs"), "utf8")).toContain("echo plugin");
    });

    it("is not disturbed by the user's settings for Go", async () => {
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

    it("leaves nothing behind when it fails, and shows the end of its output", async () => {
        const machine = new Sandbox();
        machine.goOnPath({
            build: 'echo "something half" > "$GOTMPDIR/half"; echo "no space left on device" >&2; exit 1',
        });

        const { exitCode, stdout, stderr } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        expect(machine.cached()).toEqual([]);
        expect(stderr).toContain("| no space left on device");
    });

    it("leaves nothing behind when only the second program fails", async () => {
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

describe("when no way works", () => {
    it("one error says what was tried and the three ways out", async () => {
        const machine = new Sandbox();

        const { exitCode, stdout, stderr } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        const error = stderr.slice(stderr.indexOf("error: "));
        for (const tried of ["no `pulumi` on PATH", "nothing in", "spawn curl ENOENT", "spawn go ENOENT"]) {
            expect(error).toContain(tried);
        }
        for (const way of WAYS_OUT) expect(error).toMatch(way);
        expect(stderr).not.toMatch(A_STACK);
    });

    it("a Go that is too old is named, with the version it takes", async () => {
        const machine = new Sandbox();
        machine.goOnPath({ version: "go1.25.10" });

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(1);
        expect(stderr).toContain("Go is 1.25.10, older than 1.25.11");
        expect(machine.calls("go")).toEqual(["go version"]);
    });

    it("a home folder that cannot be written is an error of one line with a way out", async () => {
        const machine = new Sandbox();
        writeFileSync(join(machine.home, ".cache"), "a file in the way");

        const { exitCode, stderr } = await machine.setUp();

        expect(exitCode).toBe(1);
        expect(stderr).toContain("Set XDG_CACHE_HOME to a folder that can be written.");
        expect(stderr).not.toMatch(A_STACK);
    });

    it("the function throws an error whose message is the same text", async () => {
        const machine = new Sandbox();

        const error = await machine.evaluate("setup.ensureEngine().catch(({ name, message }) => ({ name, message }))");

        expect(error).toEqual({ name: "EngineError", message: expect.stringMatching(WAYS_OUT[0] ?? "") as string });
        expect(existsSync(machine.cacheRoot)).toBe(true);
    });
});

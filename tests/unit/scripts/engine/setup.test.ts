import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { peerDependencies } from "../../../../package.json";
import { fakeBuild, fakeInstaller, Sandbox } from "./sandbox";

const oldest = peerDependencies["@pulumi/pulumi"].replace("^", "");

it("an engine on PATH is used if it is new enough, and neither PATH nor the home folder changes", async () => {
    const machine = new Sandbox();
    machine.pulumiOnPath(oldest);
    machine.program("path/pulumi-language-nodejs", "");

    const answer = await machine.evaluate(
        'setup.ensureEngine().then((engine) => ({ engine, path: setup.pathWithEngine(engine, "/first:/second") }))',
    );

    expect(answer).toEqual({
        engine: { bin: machine.path, version: oldest, source: "path" },
        path: "/first:/second",
    });
    expect(existsSync(join(machine.home, ".cache"))).toBe(false);
});

it.each([
    { reason: "it is not supported", version: "3.149.9", host: true, says: `older than ${oldest}` },
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

test("CLOUDDB_PULUMI selects another version, which the engine on PATH does not replace, and requires only it", async () => {
    const machine = new Sandbox();
    machine.pulumiOnPath("3.250.0");
    machine.program("path/pulumi-language-nodejs", "");
    machine.env.CLOUDDB_PULUMI = "3.274.1";
    machine.goOnPath(`if [ "$1" = mod ]; then cat go.mod > "${machine.root}/go.mod"; exit; fi\n${fakeBuild}`);

    const engine = await machine.evaluate("setup.ensureEngine()");

    const [folder = ""] = machine.cached();
    expect(folder).toMatch(/^3\.274\.1-/);
    expect(engine).toEqual({ bin: join(machine.cacheRoot, folder, "bin"), version: "3.274.1", source: "build" });
    const required = readFileSync(join(machine.root, "go.mod"), "utf8").match(/^require .*|^\t\S+ v.*/gm);
    expect(required).toEqual(["require github.com/pulumi/pulumi/pkg/v3 v3.274.1"]);
    expect(machine.calls("go").filter((call) => call.startsWith("go mod"))).toEqual(["go mod tidy"]);
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

    it("Pulumi's installer is followed by the build if it installs another version", async () => {
        const machine = new Sandbox();
        machine.curlOnPath(fakeInstaller.replace("version=$2", "version=3.1.0"));
        machine.goOnPath();

        expect(await machine.evaluate("setup.ensureEngine()")).toMatchObject({ source: "build" });
    });

    it("the build ignores the Go configuration of the user, deletes its files if it fails, and prints the end of its output", async () => {
        const machine = new Sandbox();
        Object.assign(machine.env, { GOFLAGS: "-mod=vendor", GOOS: "plan9", CGO_ENABLED: "1", GOWORK: "/go.work" });
        machine.goOnPath('echo half > "$GOTMPDIR/half"; echo "$GOFLAGS $GOOS $CGO_ENABLED $GOWORK" >&2; exit 1');

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
});

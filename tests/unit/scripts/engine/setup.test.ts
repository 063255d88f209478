import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { peerDependencies } from "../../../../package.json";
import { fakeBuild, fakeInstaller, Sandbox } from "./sandbox";

const oldest = peerDependencies["@pulumi/pulumi"].replace("^", "");
const present = "3.250.0";

interface Case {
    readonly title: string;
    readonly machine: (machine: Sandbox) => void | Promise<void>;
    readonly source: "path" | "cache" | "install" | "build";
    readonly version?: string;
    /** The calls of Go. */
    readonly go?: string[];
}

const cases: readonly Case[] = [
    {
        title: "an engine on PATH is used if it is new enough",
        machine: (machine) => machine.pulumiOnPath(oldest),
        source: "path",
        version: oldest,
    },
    {
        title: "an engine in the cache is used without a download or a build",
        machine: async (machine) => {
            await machine.fillCache();
            machine.curlOnPath(fakeInstaller);
        },
        source: "cache",
    },
    {
        title: "Pulumi's installer is tried first, with one exact version",
        machine: (machine) => {
            machine.curlOnPath(fakeInstaller);
            machine.goOnPath();
        },
        source: "install",
    },
    {
        title: "Pulumi's installer is followed by the build if it installs another version",
        machine: (machine) => {
            machine.curlOnPath(fakeInstaller.replace("version=$2", "version=3.1.0"));
            machine.goOnPath();
        },
        source: "build",
        go: ["go version", "go build", "go build"],
    },
    {
        title: "CLOUDDB_PULUMI selects another version, which the engine on PATH does not replace, and requires only it",
        machine: (machine) => {
            machine.pulumiOnPath(present);
            machine.env.CLOUDDB_PULUMI = "3.274.1";
            const tidy = `test "$(grep -c '^require' go.mod)" = 1 && grep -q '^require .*/pkg/v3 v3.274.1$' go.mod`;
            machine.goOnPath(`if [ "$1" = mod ]; then ${tidy}; exit; fi\n${fakeBuild}`);
        },
        source: "build",
        version: "3.274.1",
        go: ["go version", "go mod", "go build", "go build"],
    },
];

test.each(cases)("$title", async ({ machine: prepare, source, version = present, go = [] }) => {
    const machine = new Sandbox();
    await prepare(machine);

    const { engine, path } = await machine.ensureEngine("/first:/second");

    const bin = source === "path" ? machine.path : join(machine.cacheRoot, machine.cached()[0] ?? "", "bin");
    expect(engine).toEqual({ bin, version, source });
    if (source !== "path") {
        expect(readdirSync(bin).sort()).toEqual(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
    }
    // An engine on PATH changes neither PATH nor the home folder.
    expect(path).toBe(source === "path" ? "/first:/second" : `${bin}:/first:/second`);
    expect(existsSync(join(machine.home, ".cache"))).toBe(source !== "path");
    expect(machine.calls("go").map((call) => call.split(" ").slice(0, 2).join(" "))).toEqual(go);
});

test.each([
    { reason: "it is not supported", version: "3.149.9", host: true, says: `older than ${oldest}` },
    {
        reason: "one without a language host may be the npm package pulumi, which would start a download",
        version: present,
        host: false,
        says: "has no pulumi-language-nodejs",
    },
    { reason: "it does not run", version: undefined, host: true, says: "does not print its version" },
])("an engine on PATH is not used: $reason", async ({ version, host, says }) => {
    const machine = new Sandbox();
    machine.pulumiOnPath(version, host);

    const { exitCode, stdout, stderr } = await machine.setUp();

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(says);
    expect(machine.calls("pulumi")).toHaveLength(host ? 1 : 0);
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

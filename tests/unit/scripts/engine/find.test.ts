import { existsSync, mkdirSync, appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fakeInstaller, Sandbox, removeSandboxes } from "./sandbox";

afterEach(removeSandboxes);

describe("an engine on PATH", () => {
    it("an engine on PATH is used if it is new enough, without files in the home folder", async () => {
        const machine = new Sandbox();
        machine.pulumiOnPath("3.150.0");
        machine.program("path/pulumi-language-nodejs", "");

        const { exitCode, stdout } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${machine.path}\n` });
        expect(existsSync(join(machine.home, ".cache"))).toBe(false);
    });

    it("an engine on PATH does not change PATH, because its folder may contain another node", async () => {
        const machine = new Sandbox();
        machine.pulumiOnPath("3.299.1");
        machine.program("path/pulumi-language-nodejs", "");

        const answer = await machine.evaluate(
            'setup.ensureEngine().then((engine) => ({ engine, path: setup.pathWithEngine(engine, "/first:/second") }))',
        );

        expect(answer).toEqual({
            engine: { bin: machine.path, version: "3.299.1", source: "path" },
            path: "/first:/second",
        });
    });

    it("an engine on PATH may have its language host in another folder of PATH", async () => {
        const machine = new Sandbox();
        machine.pulumiOnPath("4.0.0-alpha.1");
        machine.program("elsewhere/pulumi-language-nodejs", "");
        machine.env.PATH = `${machine.path}:${join(machine.root, "elsewhere")}`;

        expect((await machine.setUp()).stdout).toBe(`${machine.path}\n`);
    });

    const unusable = [
        {
            reason: "an old one uses an older protocol",
            version: "3.149.9",
            host: true,
            says: "3.149.9, older than 3.150.0",
        },
        {
            reason: "one without a language host may be the npm package pulumi, which would start a download",
            version: "3.250.0",
            host: false,
            says: "has no pulumi-language-nodejs",
        },
        { reason: "it does not run", version: undefined, host: true, says: "does not print its version" },
    ];
    it.each(unusable)("an engine on PATH is not used: $reason", async ({ version, host, says }) => {
        const machine = new Sandbox();
        if (version) {
            machine.pulumiOnPath(version);
        } else {
            machine.program("path/pulumi", "echo broken; exit 3");
        }
        if (host) {
            machine.program("path/pulumi-language-nodejs", "");
        }

        const { exitCode, stdout, stderr } = await machine.setUp();

        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        expect(stderr).toContain(says);
        expect(machine.calls("pulumi")).toHaveLength(host ? 1 : 0);
    });
});

describe("an engine in the cache", () => {
    it("an engine in the cache is used without a call of curl or go", async () => {
        const machine = new Sandbox();
        const bin = await machine.fillCache();
        machine.curlOnPath(fakeInstaller);
        machine.goOnPath();

        const engine = await machine.evaluate("setup.ensureEngine()");

        expect(engine).toEqual({ bin, version: "3.250.0", source: "cache" });
        expect([...machine.calls("curl"), ...machine.calls("go")]).toEqual([]);
    });

    it("the folder of an engine in the cache is put first on PATH", async () => {
        const machine = new Sandbox();
        const bin = await machine.fillCache();

        const path = await machine.evaluate(
            'setup.ensureEngine().then((engine) => setup.pathWithEngine(engine, "/usr/bin"))',
        );

        expect(path).toBe(`${bin}:/usr/bin`);
    });

    it("an engine in the cache is used without output by a program that calls the function", async () => {
        const machine = new Sandbox();
        await machine.fillCache();
        const module = join(machine.repository, "scripts", "engine", "setup.mjs");

        const { stderr } = await machine.start([
            "-e",
            `import(${JSON.stringify(module)}).then((m) => m.ensureEngine())`,
        ]).ended;

        expect(stderr).toBe("");
    });

    it("another engine is built for the cache if its Go modules change", async () => {
        const machine = new Sandbox();
        const before = await machine.fillCache();
        appendFileSync(
            join(machine.repository, "scripts", "engine", "cli", "go.sum"),
            "example.com/more v1.0.0 h1:x=\n",
        );
        machine.goOnPath();

        const { stdout } = await machine.setUp();

        expect(stdout.trim()).not.toBe(before);
        expect(machine.cached()).toHaveLength(2);
    });

    it("an engine in the cache is installed again if one of its files is missing", async () => {
        const machine = new Sandbox();
        const bin = await machine.fillCache();
        rmSync(join(bin, "pulumi-language-nodejs"));
        machine.goOnPath();

        expect((await machine.setUp()).stdout).toBe(`${bin}\n`);
        expect(existsSync(join(bin, "pulumi-language-nodejs"))).toBe(true);
        expect(machine.cached()).toHaveLength(1);
    });

    it("the cache is in the folder of XDG_CACHE_HOME if that path is absolute", async () => {
        const machine = new Sandbox();
        machine.goOnPath();
        const elsewhere = join(machine.root, "xdg");
        mkdirSync(elsewhere);

        machine.env.XDG_CACHE_HOME = elsewhere;
        expect((await machine.setUp()).stdout).toContain(join(elsewhere, "pulumi-clouddb", "engine"));
        machine.env.XDG_CACHE_HOME = "relative";
        expect((await machine.setUp()).stdout).toContain(machine.cacheRoot);
    });
});

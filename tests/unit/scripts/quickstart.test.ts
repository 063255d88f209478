import { FakeClone, removeClones } from "./fakeClone";

afterEach(removeClones);

describe("the arguments of the quickstart", () => {
    const parse = (typed: string[]): Promise<unknown> =>
        new FakeClone().evaluate(`
            const { parse } = await load("quickstart.mjs");
            try { return parse(${JSON.stringify(typed)}); }
            catch ({ message, exitCode }) { return { message, exitCode }; }`);

    it.each([
        [[], "up", []],
        [["--diff"], "up", ["--diff"]],
        [["preview", "--diff"], "preview", ["--diff"]],
        [["journal", "--all"], "journal", ["--all"]],
        [["pulumi", "stack", "output", "--help"], "pulumi", ["stack", "output", "--help"]],
        [["destroy", "--help"], "help", []],
    ])("%j means %s", async (typed, command, args) => {
        expect(await parse(typed)).toEqual({ command, args, postgres: true });
    });

    it.each([[["--no-postgres"]], [["up", "--no-postgres"]]])("%j means up without PostgreSQL", async (typed) => {
        expect(await parse(typed)).toEqual({ command: "up", args: [], postgres: false });
    });

    it("an unknown command is rejected with a list of the commands", async () => {
        expect(await parse(["dstroy"])).toEqual({
            message: expect.stringMatching(/^Unknown command "dstroy". Use one of: up, preview, .*destroy/) as string,
            exitCode: 2,
        });
    });

    it("reset rejects arguments", async () => {
        const clone = new FakeClone();
        expect(await clone.runScript("quickstart", ["reset", "orders"])).toMatchObject({ exitCode: 2 });
    });

    it("--help prints the help and writes no files", async () => {
        const clone = new FakeClone();

        const { exitCode, stdout } = await clone.runScript("quickstart", ["--help"]);

        expect(exitCode).toBe(0);
        expect(stdout).toContain("npm run quickstart [-- COMMAND]");
        expect(clone.has(".quickstart")).toBe(false);
    });
});

describe("the environment of Pulumi", () => {
    const environment = (env: Record<string, string>, emulator = true): Promise<unknown> =>
        new FakeClone().evaluate(`
            const { folderOf } = await load("quickstart/folder.mjs");
            const { environmentOf } = await load("quickstart/pulumi.mjs");
            return environmentOf(folderOf("/a b"), {
                path: "/engine:/bin",
                secrets: { token: "T", passphrase: "P" },
                ${emulator ? 'emulator: { pid: 1, url: "http://127.0.0.1:5/v1" },' : ""}
                env: ${JSON.stringify(env)},
            });`);

    it("contains no account, stack or project of the user", async () => {
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
            PULUMI_STACK: "dev",
            CLOUDDB_ACCESS_TOKEN: "T",
            CLOUDDB_BASE_URL: "http://127.0.0.1:5/v1",
        });
    });

    it("does not use the proxy for local requests", async () => {
        expect(await environment({ no_proxy: "intern" })).toMatchObject({ NO_PROXY: "intern,127.0.0.1,localhost" });
    });

    it("contains no token in a preview", async () => {
        expect(await environment({ CLOUDDB_ACCESS_TOKEN: "mine" }, false)).not.toHaveProperty("CLOUDDB_ACCESS_TOKEN");
    });
});

describe("the files of the quickstart", () => {
    it("a lost passphrase of an existing stack is an error", async () => {
        const clone = new FakeClone();
        clone.write(".quickstart/state/.pulumi/stacks/quickstart/dev.json", "{}");
        clone.write(".quickstart/secrets.json", "half of it");

        const ensure = `
            const { ensureSecrets, folderOf } = await load("quickstart/folder.mjs");
            ensureSecrets(folderOf(process.cwd()));`;

        await expect(clone.evaluate(ensure)).rejects.toThrow("npm run quickstart -- reset");
    });

    it("without files, there is nothing to destroy, reset or list", async () => {
        const clone = new FakeClone();
        await clone.bootstrap();

        const results = await Promise.all(
            ["destroy", "reset", "journal"].map((name) => clone.runScript("quickstart", [name])),
        );

        expect(results.map(({ stdout, stderr }) => stdout + stderr)).toEqual([
            "There are no resources to delete.\n",
            "There is nothing to reset.\n",
            "error: The emulator is not running. Start it with: npm run quickstart\n",
        ]);
    });
});

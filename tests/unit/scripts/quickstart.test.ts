import { FakeClone } from "./fakeClone";

describe("the arguments of the quickstart", () => {
    const commands = [
        [[], "up", []],
        [["--diff"], "up", ["--diff"]],
        [["preview", "--diff"], "preview", ["--diff"]],
        [["pulumi", "stack", "output", "--help"], "pulumi", ["stack", "output", "--help"]],
        [["destroy", "--help"], "help", []],
    ] as const;
    const withoutPostgres = [[["--no-postgres"]], [["up", "--no-postgres"]]] as const;
    const unknown = ["dstroy"];
    const parsed = new Map<string, unknown>();

    beforeAll(async () => {
        const lines = [...commands.map(([typed]) => typed), ...withoutPostgres.map(([typed]) => typed), unknown];
        const results = (await new FakeClone().evaluate(`
            const { parse } = await load("quickstart.mjs");
            return ${JSON.stringify(lines)}.map((typed) => {
                try { return parse(typed); }
                catch ({ message, exitCode }) { return { message, exitCode }; }
            });`)) as unknown[];
        lines.forEach((typed, index) => parsed.set(JSON.stringify(typed), results[index]));
    });

    const parse = (typed: readonly string[]): unknown => parsed.get(JSON.stringify(typed));

    it.each(commands)("the quickstart with the arguments %j runs %s", (typed, command, args) => {
        expect(parse(typed)).toEqual({ command, args, postgres: true });
    });

    it.each(withoutPostgres)("the quickstart with the arguments %j runs up without PostgreSQL", (typed) => {
        expect(parse(typed)).toEqual({ command: "up", args: [], postgres: false });
    });

    it("an unknown command is rejected with a list of the commands", () => {
        expect(parse(unknown)).toEqual({
            message: expect.stringMatching(/^Unknown command "dstroy". Use one of: up, preview, .*destroy/) as string,
            exitCode: 2,
        });
    });

    it("the quickstart with --help prints the help and writes no files", async () => {
        const clone = new FakeClone();

        const { exitCode, stdout } = await clone.runScript("quickstart", ["--help"]);

        expect(exitCode).toBe(0);
        expect(stdout).toContain("npm run quickstart [-- COMMAND]");
        expect(clone.has(".quickstart")).toBe(false);
    });
});

describe("the environment of Pulumi", () => {
    const emulator = { pid: 1, url: "http://127.0.0.1:5/v1" };
    const ofUser = {
        HOME: "/home/me",
        PULUMI_ACCESS_TOKEN: "mine",
        PULUMI_CONFIG_PASSPHRASE_FILE: "/mine",
        CLOUDDB_BASE_URL: "https://mine/v1",
        CLOUDDB_ALLOW_INSECURE: "true",
    };
    let seen: unknown;
    let withProxy: unknown;
    let inPreview: unknown;

    beforeAll(async () => {
        const cases = [
            { env: ofUser, emulator },
            { env: { no_proxy: "intern" }, emulator },
            { env: { CLOUDDB_ACCESS_TOKEN: "mine" } },
        ];
        [seen, withProxy, inPreview] = (await new FakeClone().evaluate(`
            const { folderOf } = await load("quickstart/folder.mjs");
            const { environmentOf } = await load("quickstart/pulumi.mjs");
            const secrets = { token: "T", passphrase: "P" };
            return ${JSON.stringify(cases)}.map((parts) =>
                environmentOf(folderOf("/a b"), { path: "/engine:/bin", secrets, ...parts }));`)) as unknown[];
    });

    it("the environment of Pulumi contains no account, stack or project of the user", () => {
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

    it("the environment of Pulumi does not use the proxy for local requests", () => {
        expect(withProxy).toMatchObject({ NO_PROXY: "intern,127.0.0.1,localhost" });
    });

    it("the environment of Pulumi contains no token in a preview", () => {
        expect(inPreview).toMatchObject({ PULUMI_STACK: "dev" });
        expect(inPreview).not.toHaveProperty("CLOUDDB_ACCESS_TOKEN");
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
});

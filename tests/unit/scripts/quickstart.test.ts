import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/documents";
import { newFolder } from "../../support/folder";
import { evaluate } from "../../support/scripts";

it("the quickstart uses no account, stack or project of the user, no proxy, and no token in a preview", async () => {
    const emulator = { pid: 1, url: "http://127.0.0.1:5/v1" };
    const ofUser = {
        HOME: "/home/me",
        PULUMI_ACCESS_TOKEN: "mine",
        PULUMI_CONFIG_PASSPHRASE_FILE: "/mine",
        CLOUDDB_BASE_URL: "https://mine/v1",
        CLOUDDB_ALLOW_INSECURE: "true",
        no_proxy: "intern",
    };
    const cases = [{ env: ofUser, emulator }, { env: { CLOUDDB_ACCESS_TOKEN: "mine" } }];
    const [seen, inPreview] = (await evaluate(`
        const { folderOf } = await load("quickstart/folder.mjs");
        const { environmentOf } = await load("quickstart/pulumi.mjs");
        const secrets = { token: "T", passphrase: "P" };
        return ${JSON.stringify(cases)}.map((parts) =>
            environmentOf(folderOf("/a b"), { path: "/engine:/bin", secrets, ...parts }));`)) as object[];
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
        NO_PROXY: "intern,127.0.0.1,localhost",
    });
    expect(inPreview).toMatchObject({ PULUMI_STACK: "dev" });
    expect(inPreview).not.toHaveProperty("CLOUDDB_ACCESS_TOKEN");
});

it("the build of the engine beside npm ci uses no package", () => {
    const folder = newFolder();
    cpSync(join(root, "scripts"), join(folder, "scripts"), {
        recursive: true,
        filter: (source) => !source.includes("node_modules"),
    });
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    const statements = "const { buildAhead } = await import('./scripts/engine/ahead.mjs'); await buildAhead();";
    const env = { HOME: folder, PATH: "", XDG_CACHE_HOME: join(folder, "cache") };
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", statements], { cwd: folder, env });
    expect(stderr.toString()).toBe("");
    expect(existsSync(join(folder, "cache"))).toBe(false);
});

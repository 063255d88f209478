import { existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { newFolder } from "../support/folder";
import { runShell } from "../support/project";
import { RepositoryCopy } from "../support/repository";

test("the tests of units, contracts, properties and the model need no build, no engine and no files of the user", async () => {
    const { folder } = new RepositoryCopy();
    rmSync(join(folder, "dist"), { recursive: true });
    const [bin, home] = [newFolder(), newFolder()];
    writeFileSync(join(bin, "pulumi"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const path = `${bin}${delimiter}${process.env.PATH ?? ""}`;
    const env = { ...process.env, PATH: path, HOME: home, XDG_CACHE_HOME: home };
    await runShell("npm test -- tests/unit tests/contract tests/properties tests/model", folder, env);
    expect([join(folder, "dist"), join(home, "pulumi-clouddb")].filter((path) => existsSync(path))).toEqual([]);
});

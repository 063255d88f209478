import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../support/folder";
import { root } from "./language";
import { createEnvironment } from "./pythonPackages";
import { pythonPackage } from "./userSdks";

const folder = newFolder();
const programs = join(root, "tests", "languages", "typeCheckers");

/** The arguments with which a type checker uses the packages of the environment. */
const checkers = {
    mypy: ["--cache-dir", join(folder, "cache")],
    pyright: ["--pythonpath", join(folder, "venv", "bin", "python")],
};

beforeAll(async () => {
    const packages = [...Object.keys(checkers), pythonPackage()];
    await createEnvironment(join(folder, "venv"), packages, folder);
});

describe.each(Object.entries(checkers))("%s", (checker, options) => {
    const check = (...files: string[]) =>
        promisify(execFile)(join(folder, "venv", "bin", checker), [...options, ...files], { cwd: folder });

    test(`${checker} accepts enumerations and their values as strings`, async () => {
        await check(join(programs, "strings.py"), join(root, "examples", "python", "__main__.py"));
    });

    test(`${checker} rejects a value that is no string`, async () => {
        await expect(check(join(programs, "wrong.py"))).rejects.toMatchObject({
            stdout: expect.stringMatching(/wrong\.py:3:[^]*wrong\.py:4:[^]*2 errors/) as string,
        });
    });
});

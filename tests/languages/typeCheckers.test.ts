import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import schema from "../../provider/hosts/native/schema.gen.json";
import { blocksOf, pages, read } from "../support/documents";
import { newFolder } from "../support/folder";
import { root } from "./language";
import { createEnvironment, pythonPackage } from "./userSdks";

const folder = newFolder();
const programs = join(root, "tests", "languages", "typeCheckers");

/** The oldest Python that the page about versions names. */
const [, oldest = ""] = /Python (\d+\.\d+),/.exec(read("docs/installation-configuration.md")) ?? [];

/** The arguments with which a type checker uses the packages of the environment. */
const checkers = {
    mypy: ["--cache-dir", join(folder, "cache"), "--python-version", oldest],
    pyright: ["--pythonpath", join(folder, "venv", "bin", "python"), "--pythonversion", oldest],
};

/** The programs of the pages, each in a file. */
const documented = pages
    .flatMap((page) => blocksOf(page, ["python"]))
    .map(({ page, line, text }) => ({ file: join(folder, `${page.replace(/\W/g, "_")}_${line}.py`), text }));

beforeAll(async () => {
    documented.forEach(({ file, text }) => writeFileSync(file, text));
    const packages = [...Object.keys(checkers), pythonPackage()];
    await createEnvironment(join(folder, "venv"), packages, folder);
});

describe.each(Object.entries(checkers))("%s", (checker, options) => {
    const check = (...files: string[]) =>
        promisify(execFile)(join(folder, "venv", "bin", checker), [...options, ...files], { cwd: folder });

    test(`${checker} accepts enumerations and their values as strings, the example and the documented programs`, async () => {
        expect(documented.length).toBeGreaterThan(5);
        await check(join(programs, "strings.py"), join(root, "examples", "python", "__main__.py"));
        await check(...documented.map(({ file }) => file));
    });

    test(`${checker} rejects a value that is no string`, async () => {
        await expect(check(join(programs, "wrong.py"))).rejects.toMatchObject({
            stdout: expect.stringMatching(/wrong\.py:3:[^]*wrong\.py:4:/) as string,
        });
    });
});

test("the documented Python is the oldest that the SDK and Pulumi accept", async () => {
    const python = join(folder, "venv", "bin", "python");
    const metadata = "import importlib.metadata as m; print(m.metadata('pulumi')['Requires-Python'])";
    const { stdout } = await promisify(execFile)(python, ["-c", metadata]);
    expect([stdout.trim(), schema.language.python.pythonRequires]).toEqual([`>=${oldest}`, `>=${oldest}`]);
    expect(read("examples/python/README.md")).toContain(`needs Python ${oldest} or newer`);
});

test("the documented unit test in Python passes", async () => {
    const [mocks] = documented.filter(({ text }) => text.includes("unittest"));
    const module = basename(mocks?.file ?? "", ".py");
    await promisify(execFile)(join(folder, "venv", "bin", "python"), ["-m", "unittest", module], { cwd: folder });
});

test("the documented hook in Python gets its values, also with a secret among them", async () => {
    const [hook] = documented.filter(({ text }) => text.includes("ResourceHook("));
    // The next step of a reader: the setup uses a value.
    const used = (hook?.text ?? "").replace("# Connect", 'assert host == "db.example.com"\n    # Connect');
    expect(used).not.toBe(hook?.text);
    writeFileSync(join(folder, "hook_in_use.py"), used);
    const script = `
import asyncio, os, pulumi
from pulumi.runtime._callbacks import outputtify_secrets
from pulumi.runtime.rpc import _special_sig_key, _special_secret_sig

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return args.name, args.inputs

    def call(self, args):
        return {}, []

pulumi.runtime.set_mocks(Mocks())
os.environ["ORDERS_PASSWORD"] = "a password"
import hook_in_use as program

secret = {_special_sig_key: _special_secret_sig, "value": {"host": "db.example.com", "token": "t", "version": 1.0}}
for value in [{"host": "db.example.com", "version": 1.0}, secret]:
    inputs = outputtify_secrets({"input": value})
    result = program.set_up_database(pulumi.ResourceHookArgs("urn", "id", "setup", "Stash", new_inputs=inputs))
    if result is not None:
        asyncio.get_event_loop().run_until_complete(result)
`;
    await promisify(execFile)(join(folder, "venv", "bin", "python"), ["-c", script], { cwd: folder });
});

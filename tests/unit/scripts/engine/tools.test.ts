import { existsSync } from "node:fs";
import { join } from "node:path";
import { Sandbox, removeSandboxes } from "./sandbox";

afterEach(removeSandboxes);

describe("a language host", () => {
    it("a language host is built once and then found in the cache", async () => {
        const machine = new Sandbox();
        machine.goOnPath();

        const built = await machine.evaluate('setup.ensureTool("go")');
        const cached = await machine.evaluate('setup.ensureTool("go")');

        expect(built).toMatchObject({ version: "3.66.0", source: "build" });
        expect(cached).toEqual({ ...(built as object), source: "cache" });
        expect(machine.calls("go").filter((call) => call.startsWith("go build"))).toHaveLength(1);
    });

    it("a language host on PATH is used if all its programs are there", async () => {
        const machine = new Sandbox();
        machine.goOnPath({ build: "exit 1" });
        machine.program("path/pulumi-language-python", "");

        await expect(machine.evaluate('setup.ensureTool("python").catch(({ name }) => name)')).resolves.toBe(
            "ScriptError",
        );
        machine.program("path/pulumi-language-python-exec", "");
        expect(await machine.evaluate('setup.ensureTool("python")')).toMatchObject({
            bin: machine.path,
            source: "path",
        });
    });

    it("a language host that cannot be built is an error with the reason and the remedies", async () => {
        const machine = new Sandbox();

        const message = await machine.evaluate('setup.ensureTool("yaml").catch((error) => error.message)');

        expect(message).toMatch(/^No pulumi-language-yaml was found.*spawn go ENOENT.*install Go 1\.25/s);
    });
});

it("the code generator also replaces the language hosts", async () => {
    const machine = new Sandbox();
    machine.goOnPath();

    const { bin } = (await machine.evaluate('setup.ensureTool("codegen")')) as { bin: string };

    for (const language of ["nodejs", "python", "go"]) {
        expect(existsSync(join(bin, `pulumi-language-${language}`))).toBe(true);
    }
});

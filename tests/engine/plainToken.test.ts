import { packageName } from "../support/engine";
import { fromText, startProject } from "../support/project";

const program = `
const { Vpc } = require("${packageName}");
for (const part of [1, 2]) new Vpc("vpc-" + part, { cidr: "10." + part + ".0.0/16", regionCode: "us-east-1" });
`;
const count = (text: string, part: RegExp) => [...text.matchAll(part)].length;

test("a preview warns once of a token that is not a secret, and the command in the warning encrypts it", async () => {
    const { pulumi, shell, emulator } = await startProject(fromText(program));
    await pulumi("config", "set", "--plaintext", "clouddb:accessToken", emulator.token);

    const { stdout } = await pulumi("preview");

    // Once among the diagnostics, for two resources.
    expect(count(stdout, /Then: replace the token: old states keep it/g)).toBe(1);
    const [, command = ""] = /Encrypt: `(.*)`/.exec(stdout) ?? [];
    await shell(command, emulator.token);
    expect((await pulumi("up", "--yes")).stdout).not.toContain("is not a secret");
    expect((await pulumi("stack", "export")).stdout).not.toContain(emulator.token);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "../support/documents";
import { packageName } from "../support/engine";
import { fromText, startProject } from "../support/project";

// SECURITY.md#what-pulumi-leaves-open: what the options of Pulumi that print more show of passwords. It fails if Pulumi no longer
// prints them: the pages can then say so.

const declared = "canary-declared-password";
const program = `
const { Service } = require("${packageName}");
new Service("orders", { password: require("@pulumi/pulumi").secret("${declared}") });
exports.generated = new Service("bills", {}).initialPassword;
`;

test("Pulumi prints passwords with each of the options that the pages name", async () => {
    const { folder, pulumi, outputs } = await startProject(fromText(program));
    const up = ["up", "--yes", "--skip-preview"];

    const first = await pulumi(...up, "--debug", "-v=9", "--logtostderr", "--tracing=file:trace");
    const second = await pulumi(...up, "--json");

    const { generated } = await outputs();
    const trace = readFileSync(join(folder, "trace"), "latin1");
    const shown = (text: string) => [declared, String(generated)].map((password) => text.includes(password));
    const printed = { "--debug": first.stdout, "-v=9": first.stderr, "--tracing": trace, "up --json": second.stdout };
    for (const [option, text] of Object.entries(printed)) {
        expect([option, ...shown(text)]).toEqual([option, true, true]);
        for (const page of [
            "SECURITY.md#what-pulumi-leaves-open",
            "docs/installation-configuration.md#secret-values",
        ]) {
            expect(read(page)).toContain(`${option}\``);
        }
    }
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "../support/documents";
import { packageName } from "../support/engine";
import { fromText, installPackage, startProject } from "../support/project";

const program = `new (require("${packageName}").Service)("orders", { cpuMillis: 500 });\n`;
const settings = "name: tests\nruntime: nodejs\nmain: index.js\n";

/** What Pulumi prints without a download of plugins, and what it prints if the download fails. */
const withoutDownload = "no resource plugin 'pulumi-resource-clouddb' found in the workspace";
const withDownload = "could not find latest version for provider clouddb";

test("troubleshooting has the error of Pulumi for a Pulumi.yaml without the block of the plugin, and names the block", async () => {
    const project = await startProject((folder) => {
        fromText(program)(folder);
        installPackage(folder);
        writeFileSync(join(folder, "Pulumi.yaml"), settings);
    });
    project.env({ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" });
    expect((await project.failing("preview")).stdout).toContain(withoutDownload);

    const page = read("docs/troubleshooting.md");
    for (const text of [
        withoutDownload,
        withDownload,
        "`plugins` block of the [setup](installation-configuration.md#dynamic-provider-or-plugin)",
    ]) {
        expect(page).toContain(text);
    }
    const [lines] = /^plugins:\n(?: .+\n)+/m.exec(read("docs/installation-configuration.md")) ?? [];
    writeFileSync(join(project.folder, "Pulumi.yaml"), `${settings}${lines}`);
    expect((await project.pulumi("preview")).stdout).toContain("clouddb:index:Service");
});

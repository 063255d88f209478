import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { version } from "../../package.json";
import { read } from "../support/documents";
import { newFolder } from "../support/folder";
import { runShell } from "../support/project";
import { commandsOfFirstProject, goCaches } from "./firstProject";
import { buildArchives, newUser, pathWithoutNode, thisPlatform } from "./withoutNode";

// docs/changes.md, "Upgrade", in a project made from the template of the archive.

const next = "0.3.0";

/** Installs the archive again as the next version: the same program, which reports this version. */
function nextVersionIn(home: string): void {
    const plugins = join(home, ".pulumi", "plugins");
    const folder = join(plugins, `resource-clouddb-v${next}`);
    cpSync(join(plugins, `resource-clouddb-v${version}`), folder, { recursive: true });
    const file = join(folder, "pulumi-resource-clouddb");
    const program = readFileSync(file);
    const from = Buffer.from(version);
    for (let at = program.indexOf(from); at >= 0; at = program.indexOf(from, at + 1)) {
        // Not within the number of an algorithm of OpenSSL.
        const isAlone = !/[\d.]/.test(program.toString("latin1", at - 1, at));
        if (isAlone) {
            program.write(next, at, "latin1");
        }
    }
    writeFileSync(file, program, { mode: 0o755 });
}

test("an installed next version takes effect with its number in Pulumi.yaml and `pulumi install`, and changes nothing", async () => {
    const path = pathWithoutNode("python");
    if (path === undefined) {
        return;
    }
    expect(read("docs/changes.md#upgrade")).toContain("`pulumi package add` with a new version does not change it.");
    const archive = (await buildArchives(thisPlatform))[thisPlatform] ?? "";
    const folder = newFolder();
    copyFileSync(archive, join(folder, basename(archive)));
    const project = join(folder, "shop-python");
    const env = {
        ...newUser([join(project, "venv", "bin"), join(project, "bin"), path].join(delimiter)),
        ...goCaches(),
    };
    const { archiveLines } = await commandsOfFirstProject("python");
    const generated = "cat sdks/clouddb/pulumi_clouddb/pulumi-plugin.json";
    const numbers = (printed: string) => [...printed.matchAll(/"version": "(.+)"/g)].map(([, one]) => one);
    // The emulator of the first lines ends with their shell.
    const later = `while ! test -e upgrade; do sleep 0.2; done`;

    const printed = runShell(
        [
            archiveLines,
            generated,
            "touch created",
            later,
            `pulumi package add clouddb@${next}`,
            generated,
            `sed -i 's/clouddb@${version}/clouddb@${next}/' Pulumi.yaml`,
            "pulumi install",
            generated,
            "pulumi preview --expect-no-changes",
        ].join("\n"),
        folder,
        env,
    );
    const until = `while ! test -e ${join(project, "created")}; do sleep 0.2; done`;
    await Promise.race([printed, runShell(until, folder, env)]);
    nextVersionIn(env.HOME ?? "");
    writeFileSync(join(project, "upgrade"), "");

    expect(numbers(await printed)).toEqual([version, version, next]);
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, commandsOf, linesOf, pages, shellBlocksOf } from "../support/documents";
import { newFolder } from "../support/folder";
import { testWithPostgres } from "../support/postgres";
import {
    fromText,
    openProject,
    runShell,
    startOutside,
    startProject,
    withPackages,
    type TestProject,
} from "../support/project";
import { freePort, inOtherTerminal } from "../support/terminal";

// Runs every documented command for users, in a project. inClone.test.ts runs the commands for a clone, and
// examples.test.ts runs the commands of the example READMEs.

const program = blocksOf("README.md", ["ts"])[0]?.text ?? "";
/** The commands of the README without the one for a clone, which makes the file that npm installs. */
const started = linesOf("README.md#start-a-project").replace(/^npm pack .*\n/, "");

describe("in a new project", () => {
    let above: string;
    let user: NodeJS.ProcessEnv;

    beforeAll(async () => {
        ({ above, user } = await startOutside(newFolder()));
    });

    const newUser = (): NodeJS.ProcessEnv => ({ ...user, PULUMI_SKIP_CONFIRMATIONS: "true" });

    test("the commands of the README create a database, the first `pulumi destroy` deletes it, and the package can be removed", async () => {
        const folder = join(above, "shop");
        mkdirSync(folder);
        writeFileSync(join(folder, "index.ts"), program);
        const typed = inOtherTerminal(started).replaceAll("8080", String(await freePort()));
        const status =
            'curl -sS -H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN" $CLOUDDB_BASE_URL/../_emulator/state > state.json';
        const installed = "ls node_modules/pulumi-clouddb";
        const [remove = ""] = commandsOf("docs/changes.md#uninstall", "npm uninstall");
        const removed = `${installed} && ${remove} && ! ${installed}`;
        const changed = "sed -i 's/cpuMillis: 1000/cpuMillis: 2000/; s/replicaCount: 1/replicaCount: 2/' index.ts";
        const lines = [typed, changed, "pulumi up", status, "pulumi destroy", removed];
        const printed = await runShell(lines.join("\n"), folder, newUser());
        const shown = blocksOf("README.md#start-a-project", ["text"]).flatMap(({ text }) =>
            [...text.matchAll(/─ (\d\/\d .*?) {2}/g)].map(([, title = ""]) => title),
        );
        expect(shown).toHaveLength(2);
        expect(shown.filter((title) => !printed.includes(title))).toEqual([]);
        const { services } = JSON.parse(readFileSync(join(folder, "state.json"), "utf8")) as { services: unknown[] };
        expect(services).toMatchObject([{ status: "READY", ha_replicas: { replica_count: 2 } }]);
    });

    testWithPostgres(
        "the first connection of docs/emulator.md verifies the server, and prints no warning",
        async () => {
            const folder = join(above, "postgres");
            mkdirSync(folder);
            const section = "docs/emulator.md#postgresql";
            const [code] = blocksOf(section, ["js"]);
            writeFileSync(join(folder, "index.ts"), program.replace("cpuMillis", 'sslMode: "verify-full", cpuMillis'));
            writeFileSync(join(folder, "connect.js"), code?.text ?? "");
            const [install, emulator, printed, connect] = shellBlocksOf(section);
            const [create, later] = started.split(/^npx --no-install clouddb-emulator .*$/m);
            const configured = later?.replace("pulumi up", `${printed}\n$&`);
            const typed = inOtherTerminal(withPackages([create, install, emulator, configured, connect].join("\n")))
                .replaceAll("8080", String(await freePort()))
                // The lines that the emulator prints.
                .replace(printed ?? "", 'eval "$(grep ^export $log)"')
                .replace(/^node connect.js$/m, "$& 2> errors.txt");
            const untrusted = "! NODE_EXTRA_CA_CERTS= node connect.js 2> refused.txt";

            const output = await runShell(`${typed}\n${untrusted}\npulumi destroy`, folder, newUser());

            expect(output).toContain("'tsdbadmin'");
            expect(readFileSync(join(folder, "errors.txt"), "utf8")).toBe("");
            expect(readFileSync(join(folder, "refused.txt"), "utf8")).not.toBe("");
        },
    );

    test("the page of the native plugin creates a database from an empty folder", async () => {
        const folder = join(above, "native");
        mkdirSync(folder);
        const section = "docs/installation-configuration.md#dynamic-provider-or-plugin";
        const [settings, code] = ["yaml", "ts"].map((language) => blocksOf(section, [language])[0]?.text);
        writeFileSync(join(folder, "Pulumi.yaml"), settings ?? "");
        writeFileSync(join(folder, "index.ts"), code ?? "");
        const install = linesOf(section);
        const [, ...later] = started.split(/^npx /m);
        const typed = [install, ...later.map((lines) => `npx ${lines}`)].join("\n");

        const printed = await runShell(
            inOtherTerminal(withPackages(typed)).replaceAll("8080", String(await freePort())),
            folder,
            newUser(),
        );

        expect(printed).toMatch(/clouddb:index:Service\s+orders\s+created/);
    });
});

describe("in an existing project", () => {
    let project: TestProject;

    beforeAll(async () => {
        project = await startProject(fromText(program, "index.ts"));
    });

    /** Replaces the placeholders of the pages. */
    const filledIn = (lines: string): string =>
        lines
            .replace("https://console.example.com/public/api/v1", project.emulator.url)
            .replace("abcdefghij", project.emulator.projectId)
            .replace("URN", "urn:pulumi:test::tests::pulumi-nodejs:dynamic/clouddb:Service::orders");

    // The commands of the guides create the resources, so that they come last.
    test.each([
        "docs/installation-configuration.md#configuration",
        "docs/pipelines.md#the-comment",
        "docs/pipelines.md#drift",
        // production.release.test.ts runs the lines that measure a resize.
        "docs/changes.md#adopt-or-import",
        "docs/protection.md",
    ])("the documented commands of %s work in a project", async (section) => {
        await project.shell(filledIn(linesOf(section)), `${project.emulator.token}\n`);
        expect(section).toBe(section);
    });

    test("the documented commands configured the stack and wrote the comment", () => {
        const settings = readFileSync(join(project.folder, "Pulumi.test.yaml"), "utf8");
        expect(settings).toMatch(/clouddb:accessToken:\s+secure:/);
        expect(settings).toContain(project.emulator.url);
        expect(readFileSync(join(project.folder, "comment.md"), "utf8")).toContain("orders");
    });

    const inSentences = [...new Set(pages.flatMap((page) => commandsOf(page, "pulumi")))].filter(
        (command) => !pages.some((page) => linesOf(page).includes(command)),
    );
    // The effect of these commands depends on the resource, the file, the version or the stack that they name.
    const [forOneResource, forAll] = [true, false].map((isForOne) =>
        inSentences.filter(
            (command) =>
                /^pulumi (state|import|plugin|package)\b|--(target|replace|version|stack)\b/.test(command) === isForOne,
        ),
    );
    const [ending, others] = [true, false].map((ends) =>
        forAll?.filter((command) => command.startsWith("pulumi destroy") === ends),
    );

    test("the commands for one resource accept the documented options", async () => {
        for (const command of forOneResource?.flatMap((line) => line.split(" | ")) ?? []) {
            const words = command.split(" ").filter((word) => !["URN", "ARCHIVE", "FOLDER", "N"].includes(word));
            const options = words.filter((word) => word.startsWith("--"));
            const help = await project.shell(`${words.filter((word) => !options.includes(word)).join(" ")} --help`);
            expect(options.filter((option) => !help.includes(option))).toEqual([]);
        }
        expect(forOneResource).not.toEqual([]);
    });

    test("the commands within sentences work", async () => {
        expect(inSentences.length).toBeGreaterThan(5);
        for (const command of [...(others ?? []), "pulumi up", ...(ending ?? []).sort().reverse()]) {
            await project.shell(filledIn(command), `${project.emulator.token}\n`);
        }
        expect(project.emulator.snapshot().services).toEqual([]);
    });

    test("the commands of the pages about the emulator work", async () => {
        const lines = ["docs/emulator.md#run-it-in-a-terminal", "docs/emulator-reference.md"].map(linesOf).join("\n");
        const typed = inOtherTerminal(lines).replaceAll("8080", String(await freePort()));
        const own = await openProject(fromText(program, "index.ts"));
        const printed = await own.shell(`pulumi stack init test\n${typed}`);
        expect(printed).toContain('"operationId":"createService"');
        // The requests went to the emulator that the commands started.
        expect(own.emulator.journal()).toEqual([]);
    });
});

test("a test runs the commands of each page", () => {
    const inBlocks = pages.filter((page) => !page.startsWith("examples/") && linesOf(page) !== "");
    expect(inBlocks.sort()).toEqual(
        [
            "README.md",
            "docs/changes.md",
            "docs/emulator-reference.md",
            "docs/emulator.md",
            "docs/installation-configuration.md",
            // tests/languages runs these commands.
            "docs/languages.md",
            // manyStacks.test.ts runs these commands.
            "docs/many-stacks.md",
            // networks.test.ts runs the commands.
            "docs/networks.md",
            // automationApi.release.test.ts runs the others.
            "docs/pipelines.md",
            // production.release.test.ts runs these commands.
            "docs/deletion.md",
            "docs/production.md",
            "docs/protection.md",
            "docs/restore.md",
            "scripts/engine/README.md",
        ].sort(),
    );
});

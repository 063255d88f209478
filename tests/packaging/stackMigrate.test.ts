import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { secretsProvider } from "../support/engine";
import { fromText, startProject } from "../support/project";
import { newestCli } from "./folder";
import { engineFolder } from "./project";

// docs/changes.md. The engine of the other tests has no such command.

const program = 'new (require("pulumi-clouddb").Service)("orders", { cpuMillis: 500 });';

test("stack migrate: the new stack shows no change, and the removal of the old one deletes nothing", async () => {
    const project = await startProject(fromText(program));
    project.env({ PATH: [await engineFolder(newestCli), process.env.PATH].join(delimiter) });
    await project.pulumi("up", "--yes", "--skip-preview");

    const { PULUMI_BACKEND_URL: old = "" } = project.environment();
    mkdirSync(join(project.folder, "backend"));
    const present = pathToFileURL(join(project.folder, "backend")).href;
    project.env({ PULUMI_BACKEND_URL: present });
    await project.pulumi("stack", "migrate", old, "test", "--yes", "--secrets-provider", secretsProvider);
    project.env({ PULUMI_BACKEND_URL: old });
    await project.pulumi("stack", "rm", "test", "--force", "--preserve-config", "--yes");
    project.env({ PULUMI_BACKEND_URL: present });

    await project.pulumi("preview", "--stack", "test", "--expect-no-changes");
    expect(project.emulator.snapshot().services).toHaveLength(1);
});

import { rmSync } from "node:fs";
import { join } from "node:path";
import { testWithPostgres } from "../support/postgres";
import { fromFolder, openProject, runShell } from "../support/project";
import { seededService, useDatabases } from "../support/seed";
import { workflowIn } from "../support/workflows";

// Runs the script of the documented workflow with a database. tests/engine/pullRequests.release.test.ts runs the others.

testWithPostgres(
    "the workflow with a database for each pull request works when it is opened, changed and closed",
    async () => {
        const project = await openProject(fromFolder("examples/preview-database"), { postgres: true });
        useDatabases(project);
        const { folder, emulator, environment } = project;
        const { env: common = {}, jobs } = workflowIn("preview-database.yml");
        const filledIn: Record<string, string> = {
            "github.event.number": "42",
            "vars.PULUMI_BACKEND_URL": environment().PULUMI_BACKEND_URL ?? "",
            "secrets.PULUMI_ACCESS_TOKEN": "",
            "secrets.PULUMI_CONFIG_PASSPHRASE": "a passphrase",
            "vars.CLOUDDB_BASE_URL": emulator.url,
            "vars.CLOUDDB_PROJECT_ID": emulator.projectId,
            "secrets.PREVIEW_ACCESS_TOKEN": emulator.token,
            "vars.PRODUCTION_SERVICE_ID": await seededService(emulator),
        };
        const fillIn = (text: string) =>
            text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
                const value = filledIn[name];
                if (value === undefined) {
                    throw new Error(`${name} has no value.`);
                }
                return value;
            });
        const filled = (env: Readonly<Record<string, string>>) =>
            Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillIn(value)]));
        const run = async (job: "create" | "delete") => {
            rmSync(join(folder, "Pulumi.pr-42.yaml"), { force: true });
            for (const { name, run: lines = "", env = {} } of jobs[job]?.steps ?? []) {
                if (name !== undefined) {
                    // A shell of its own, as in a job.
                    await runShell(lines, folder, { ...environment(), ...filled(common), ...filled(env) });
                }
            }
        };
        const names = () => emulator.snapshot().services.map(({ name }) => name);

        await run("create");
        expect(names()).toEqual(["by hand", "preview-pr-42"]);
        await run("create");
        expect(emulator.journal().filter(({ operationId }) => operationId === "forkService")).toHaveLength(1);
        await run("delete");
        expect(names()).toEqual(["by hand"]);
        // A pull request whose copy nobody has approved.
        await run("delete");
    },
);

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { read } from "../support/documents";
import { testWithPostgres } from "../support/postgres";
import { fromFolder, openProject, runShell } from "../support/project";
import { seededService, useDatabases } from "../support/seed";

// Runs the script of the documented workflow with a database. tests/engine/pullRequests.release.test.ts runs the others.

/** The tested parts of a GitHub workflow with one job. */
interface Workflow {
    readonly jobs: Record<
        string,
        { readonly env: Record<string, string>; readonly steps: readonly { if?: string; run?: string }[] }
    >;
}

testWithPostgres(
    "the workflow with a database for each pull request works when it is opened, changed and closed",
    async () => {
        const project = await openProject(fromFolder("examples/preview-database"), { postgres: true });
        useDatabases(project);
        const { folder, emulator, environment } = project;
        const [job] = Object.values((parse(read("examples/workflows/preview-database.yml")) as Workflow).jobs);
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
        const env = Object.entries(job?.env ?? {}).map(([name, value]) => [name, fillIn(value)] as const);
        const run = async (action: string) => {
            rmSync(join(folder, "Pulumi.pr-42.yaml"), { force: true });
            const steps = (job?.steps ?? []).filter(({ if: condition = "true", run: lines = "npm ci" }) => {
                const [, operator, value] = /^github\.event\.action (==|!=) '(\w+)'$/.exec(condition) ?? [];
                const isSelected = operator === undefined || (operator === "==") === (action === value);
                return isSelected && lines !== "npm ci";
            });
            expect(steps).toHaveLength(action === "closed" ? 1 : 2);
            for (const step of steps) {
                // A shell of its own, as in a job.
                await runShell(fillIn(step.run ?? ""), folder, { ...environment(), ...Object.fromEntries(env) });
            }
        };
        const names = () => emulator.snapshot().services.map(({ name }) => name);

        await run("opened");
        expect(names()).toEqual(["by hand", "preview-pr-42"]);
        await run("synchronize");
        expect(emulator.journal().filter(({ operationId }) => operationId === "forkService")).toHaveLength(1);
        await run("closed");
        expect(names()).toEqual(["by hand"]);
    },
);

import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { blocksOf, read } from "../support/documents";
import { testWithPostgres } from "../support/postgres";
import { fromFolder, fromText, openProject, runShell, startProject } from "../support/project";
import { seededService, useDatabases } from "../support/seed";

// Runs the scripts of the documented pipelines. tests/engine/pullRequests.release.test.ts runs those for GitHub, and those
// that detect drift.

const program = blocksOf("README.md", ["ts"])[0]?.text ?? "";

interface Job {
    readonly script: readonly string[];
}

test("the GitLab jobs write the plan to a comment of the merge request, then run the update", async () => {
    const project = await startProject(fromText(program, "index.ts"));
    const { folder, emulator, environment } = project;
    const { preview, ".up": up } = parse(read("examples/gitlab-ci.yml")) as Record<"preview" | ".up", Job>;
    const tools = join(folder, "tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "curl"), '#!/bin/sh\nprintf "%s\\n" "$@" > curl.txt\n');
    chmodSync(join(tools, "curl"), 0o755);
    const run = ({ script }: Job, token: string) =>
        runShell(script.join("\n"), folder, {
            ...environment(),
            PATH: `${tools}:${process.env.PATH ?? ""}`,
            PULUMI_STACK: "test",
            COMMENT_TOKEN: "comments",
            CI_API_V4_URL: "https://gitlab.example.com/api/v4",
            CI_PROJECT_ID: "7",
            CI_MERGE_REQUEST_IID: "42",
            CLOUDDB_ACCESS_TOKEN: token,
        });

    await run(preview, "");
    expect(readFileSync(join(folder, "comment.md"), "utf8")).toContain("orders");
    const sent = readFileSync(join(folder, "curl.txt"), "utf8").split("\n");
    expect(sent).toEqual(
        expect.arrayContaining([
            "PRIVATE-TOKEN: comments",
            "body=<comment.md",
            "https://gitlab.example.com/api/v4/projects/7/merge_requests/42/notes",
        ]),
    );
    await run(up, emulator.token);
    expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);

    // After a failed preview, the comment contains the reason, and the job fails.
    writeFileSync(join(folder, "index.ts"), program.replace("10.0.0.0/21", "nonsense"));
    await expect(run(preview, "")).rejects.toThrow();
    expect(readFileSync(join(folder, "comment.md"), "utf8")).toContain("nonsense");
});

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
            expect(steps).toHaveLength(1);
            const lines = steps.map((step) => fillIn(step.run ?? "")).join("\n");
            return runShell(lines, folder, {
                ...environment(),
                ...Object.fromEntries(env),
            });
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

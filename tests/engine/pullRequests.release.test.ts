import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { packageName } from "../support/engine";
import { installFakeGh, stepOfPullRequest } from "../support/gitHub";
import { json, serve } from "../support/loopback";
import { fromText, runShell, startProject, type TestProject } from "../support/project";
import { gitlabScriptOf, scriptOf } from "../support/workflows";

const program = (cidr = "10.0.0.0/21") => `
const clouddb = require("${packageName}");
const network = new clouddb.Vpc("network", { cidr: "${cidr}", regionCode: "us-east-1" });
new clouddb.Service("orders", { name: "orders", cpuMillis: 1000, memoryGbs: 4, vpcId: network.vpcId });
`;

/** A fake pulumi that prints a recorded preview, because each real one takes a second. */
const fakePulumi = `#!/bin/sh
[ "$*" = "preview --refresh --run-program --json" ] || exit 99
cat "$RECORDED"
exit "$RECORDED_CODE"
`;

// What only the engine shows: the JSON of its previews, and how the scripts of the workflows treat it. They share one stack.
describe("the documented pipelines", () => {
    let project: TestProject;

    beforeAll(async () => {
        project = await startProject(fromText(program()));
        // In the form in which a user writes it.
        const projectFile = join(project.folder, "Pulumi.yaml");
        writeFileSync(projectFile, stringify(parse(readFileSync(projectFile, "utf8"))));
        installFakeGh(project.folder);
        mkdirSync(join(project.folder, "recorded"));
        writeFileSync(join(project.folder, "recorded", "pulumi"), fakePulumi, { mode: 0o755 });
    });

    /** Runs a script. Its pulumi prints a recorded preview if there is one in the environment. */
    const run = (script: string, more: NodeJS.ProcessEnv = {}) =>
        runShell(script, project.folder, {
            ...project.environment(),
            PATH: ["commands", ...("RECORDED" in more ? ["recorded"] : [])]
                .map((name) => join(project.folder, name))
                .concat(process.env.PATH ?? "")
                .join(":"),
            PULUMI_STACK: "test",
            ...stepOfPullRequest,
            ...more,
        });
    const file = (name: string) => readFileSync(join(project.folder, name), "utf8");

    test("the documented workflow previews, comments and deploys", async () => {
        const { folder, emulator } = project;
        const inWorkflow = (name: string, step: string, token = "") =>
            run(scriptOf(name, step), { CLOUDDB_ACCESS_TOKEN: token });
        await inWorkflow("preview.yml", "Preview");
        const comment = file("comment.md");
        expect(comment).toMatch(/network[^]*orders/);
        expect(file("summary.md")).toBe(comment);
        // The last comment is from another job and must not change.
        const user = { login: "github-actions[bot]" };
        const others = [
            { id: 98, user, body: "Looks good.\n\n<!-- clouddb-plan tests/test -->" },
            { id: 99, user, body: "<!-- clouddb-plan tests/live -->\n\nAnother stack" },
        ];
        writeFileSync(join(folder, "comments.json"), JSON.stringify(others));
        const written = () => JSON.parse(file("comments.json")) as { id: number; body: string }[];
        await inWorkflow("preview.yml", "Comment");
        expect(written()).toMatchObject([...others, { id: 102, body: comment }]);

        await inWorkflow("up.yml", "Up", emulator.token);
        expect(emulator.snapshot().services).toHaveLength(1);

        // A failed preview writes a comment with the reason, and fails the step.
        project.write(program("nonsense"));
        await expect(inWorkflow("preview.yml", "Preview")).rejects.toThrow();
        const failure = file("comment.md");
        expect(failure).toContain("nonsense");
        await inWorkflow("preview.yml", "Comment");
        expect(written()).toMatchObject([...others, { id: 102, body: failure }]);
        project.write(program());
    });

    test("the GitLab jobs write the plan to a comment of the merge request, then run the update", async () => {
        const posted: string[] = [];
        const { host } = await serve((response, { method, url, body }) => {
            posted.push(`${method} ${url}`, body);
            json(response, 200, {});
        });
        const gitlab = {
            CI_API_V4_URL: `http://${host}`,
            CI_PROJECT_ID: "9",
            CI_MERGE_REQUEST_IID: "42",
            COMMENT_TOKEN: "token",
        };
        const job = (name: string, token = "") => run(gitlabScriptOf(name), { ...gitlab, CLOUDDB_ACCESS_TOKEN: token });
        await job(".preview");
        await job(".comment");
        expect(posted).toEqual(["POST /projects/9/merge_requests/42/notes", expect.stringContaining("clouddb-plan")]);
        await job(".up", project.emulator.token);
        expect(project.emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
        project.write(program("nonsense"));
        await expect(job(".preview")).rejects.toThrow();
        await job(".comment");
        expect(posted.at(-1)).toContain("nonsense");
        project.write(program());
    });

    test("a deployment fails if the GitHub environment has other reviewers than deploy.yml names", async () => {
        const check = (reviewers: object[], ...others: object[]) =>
            run(scriptOf("up.yml", "Reviewers"), {
                PULUMI_STACK: "prod",
                REVIEWERS: "alice databases",
                ENVIRONMENT: JSON.stringify({
                    protection_rules: [...others, { type: "required_reviewers", reviewers }],
                }),
            });
        const [team, user] = [
            { type: "Team", reviewer: { slug: "databases" } },
            { type: "User", reviewer: { login: "alice" } },
        ];
        await check([team, user], { type: "branch_policy" });
        await expect(check([team])).rejects.toThrow();
        await expect(check([])).rejects.toThrow();
    });

    describe("scheduled drift detection", () => {
        const [larger, largest] = ["2000m/8GB", "4000m/16GB"];
        let previews: Record<"none" | "larger" | "largest" | "failed", readonly [code: number, json: string]>;

        beforeAll(async () => {
            const { emulator, env, failing, pulumi } = project;
            const args = ["preview", "--refresh", "--run-program", "--json"];
            const none = (await pulumi(...args)).stdout;
            const id = emulator.snapshot().services[0]?.service_id ?? "";
            emulator.updateService(id, { size: { cpuMillis: 2000, memoryGbs: 8 } });
            const drift = (await pulumi(...args)).stdout;
            expect(drift).toContain(larger);
            env({ CLOUDDB_ACCESS_TOKEN: "wrong" });
            const { code, stdout } = await failing(...args);
            previews = {
                none: [0, none],
                larger: [0, drift],
                largest: [0, drift.replaceAll(larger, largest)],
                failed: [code, stdout],
            };
        });

        const replaying = (name: keyof typeof previews): NodeJS.ProcessEnv => {
            const [code, json] = previews[name];
            writeFileSync(join(project.folder, "recorded.json"), json);
            return { RECORDED: "recorded.json", RECORDED_CODE: String(code) };
        };

        test("drift detection on GitHub creates one issue, updates it, and does nothing without drift", async () => {
            const job = async (name: keyof typeof previews) => {
                const recorded = replaying(name);
                await run(scriptOf("drift.yml", "Preview"), recorded);
                await run(scriptOf("drift.yml", "Issue"), recorded);
            };
            await job("none");
            expect(existsSync(join(project.folder, "issues.json"))).toBe(false);
            await job("larger");
            await job("largest");
            const issues = JSON.parse(file("issues.json")) as { title: string; body: string }[];
            expect(issues).toMatchObject([{ number: 7, title: "Drift in test", body: file("drift.md") }]);
            expect(issues[0]?.body).toContain(largest);
            await expect(job("failed")).rejects.toThrow();
        });

        test("drift detection on GitLab creates one issue, updates it, and does nothing without drift", async () => {
            const issues: { iid: number; title: string; description: string }[] = [];
            const calls: string[] = [];
            const { host } = await serve((response, { method, url, body }) => {
                if (url === "/user") {
                    json(response, 200, { id: 3 });
                    return;
                }
                const field = (name: string) =>
                    new RegExp(`name="${name}"\r\n(?:.*\r\n)*?\r\n([^]*?)\r\n--`).exec(body)?.[1] ?? "";
                calls.push(`${method} ${url.split("?")[0] ?? ""}`);
                if (method === "POST") {
                    issues.push({ iid: 5, title: field("title"), description: field("description") });
                }
                if (method === "PUT") {
                    Object.assign(issues[0] ?? {}, { description: field("description") });
                }
                json(response, 200, issues);
            });
            const gitlab = { CI_API_V4_URL: `http://${host}`, CI_PROJECT_ID: "9", COMMENT_TOKEN: "token" };
            const job = async (name: keyof typeof previews) => {
                const env = { ...gitlab, ...replaying(name) };
                await run(gitlabScriptOf("drift"), env);
                await run(gitlabScriptOf("issue"), env);
            };

            await job("none");
            expect(calls).toEqual([]);
            await job("larger");
            await job("largest");
            const path = "/projects/9/issues";
            expect(calls).toEqual([`GET ${path}`, `POST ${path}`, `GET ${path}`, `PUT ${path}/5`]);
            expect(issues[0]?.title).toBe("Drift in test");
            expect(issues[0]?.description).toContain(largest);
            await expect(job("failed")).rejects.toThrow();
        });

        test("the command in an issue reverts the drift", async () => {
            const [, command = ""] = /`(pulumi up[^`]*)` reverts/.exec(file("issues.json")) ?? [];
            const env = { CLOUDDB_ACCESS_TOKEN: project.emulator.token };
            await run(`${command} --yes --skip-preview`, env);
            await run("pulumi preview --refresh --run-program --expect-no-changes", env);
            expect(project.emulator.snapshot().services).toMatchObject([
                { resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }] },
            ]);
        });
    });
});

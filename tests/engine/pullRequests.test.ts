import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { blocksOf } from "../support/documents";
import { removeStacks } from "../support/engine";
import { json, serve } from "../support/loopback";
import { fromText, runShell, startProject, type TestProject } from "../support/project";

const root = join(__dirname, "..", "..");

afterAll(removeStacks);

const program = (cidr = "10.0.0.0/21") => `
const clouddb = require("pulumi-clouddb");
const network = new clouddb.Vpc("network", { cidr: "${cidr}", regionCode: "us-east-1" });
new clouddb.Service("orders", { name: "orders", cpuMillis: 1000, memoryGbs: 4, vpcId: network.vpcId });
`;

/** The script of a documented GitLab job. */
function gitlabScript(job: string): string {
    const pages = blocksOf("docs/pull-requests.md", ["yaml"]).map(({ text }) => parse(text) as Record<string, unknown>);
    const found = pages.find((page) => job in page)?.[job] as { script: string[] };
    return found.script.join("\n");
}

interface Workflow {
    jobs: Record<string, { steps: { name?: string; run?: string }[] }>;
}

/** The script of a step in a GitHub workflow. */
function scriptOf(file: string, step: string): string {
    const workflow = parse(readFileSync(join(root, ".github", "workflows", file), "utf8")) as Workflow;
    const found = Object.values(workflow.jobs)
        .flatMap(({ steps }) => steps)
        .find(({ name }) => name === step)?.run;
    if (found === undefined) {
        throw new Error(`There is no step ${step} in ${file}.`);
    }
    return found.replaceAll(/\$\{\{ github\.event\.pull_request\.number \}\}/g, "42");
}

/** A fake gh that stores the comments of a pull request in comments.json. It supports only the workflow's jq filter. */
const fakeGh = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { parseArgs } = require("node:util");
const options = { paginate: { type: "boolean" }, silent: { type: "boolean" }, method: { type: "string", default: "GET" }, field: { type: "string" }, jq: { type: "string" } };
const { values, positionals: [command, path] } = parseArgs({ options, allowPositionals: true });
const comments = existsSync("comments.json") ? JSON.parse(readFileSync("comments.json", "utf8")) : [];
const body = () => readFileSync(/^body=@(.*)$/.exec(values.field)[1], "utf8");
const routes = {
    "GET repos/us/shop/issues/42/comments": () => {
        const [, prefix] = /^\\.\\[\\] \\| select\\(\\.body \\| startswith\\("(.*)"\\)\\) \\| \\.id$/.exec(values.jq);
        for (const one of comments) if (one.body.startsWith(prefix)) console.log(one.id);
    },
    "POST repos/us/shop/issues/42/comments": () => comments.push({ id: 100 + comments.length, body: body() }),
    ...Object.fromEntries(
        comments.map((one) => ["PATCH repos/us/shop/issues/comments/" + one.id, () => (one.body = body())]),
    ),
};
if (command !== "api") throw new Error("gh " + command);
routes[values.method + " " + path]();
writeFileSync("comments.json", JSON.stringify(comments));
`;

/** A fake gh that stores the issues of a repository in issues.json. */
const fakeGhIssues = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { parseArgs } = require("node:util");
const options = { paginate: { type: "boolean" }, silent: { type: "boolean" }, method: { type: "string", default: "GET" }, field: { type: "string", multiple: true }, jq: { type: "string" } };
const { values, positionals: [, path] } = parseArgs({ options, allowPositionals: true });
const issues = existsSync("issues.json") ? JSON.parse(readFileSync("issues.json", "utf8")) : [];
const given = Object.fromEntries((values.field ?? []).map((one) => one.split(/=(.*)/s)));
if (given.body) given.body = readFileSync(given.body.slice(1), "utf8");
if (path === "repos/us/shop/issues?state=open&per_page=100") {
    const [, prefix] = /startswith\\("(.*)"\\)\\) \\| \\.number$/.exec(values.jq);
    for (const one of issues) if (one.body.startsWith(prefix)) console.log(one.number);
} else if (values.method === "POST" && path === "repos/us/shop/issues") issues.push({ number: 7 + issues.length, ...given });
else if (values.method === "PATCH") Object.assign(issues.find((one) => path === "repos/us/shop/issues/" + one.number), given);
else throw new Error(values.method + " " + path);
writeFileSync("issues.json", JSON.stringify(issues));
`;

describe("scheduled drift detection", () => {
    let project: TestProject;

    beforeAll(async () => {
        project = await startProject(fromText(program()));
        await project.pulumi("up", "--yes", "--skip-preview");
    }, 300_000);

    const run = (script: string, more: NodeJS.ProcessEnv = {}) =>
        runShell(script, project.folder, {
            ...project.environment(),
            PULUMI_STACK: "test",
            GITHUB_REPOSITORY: "us/shop",
            GITHUB_STEP_SUMMARY: join(project.folder, "summary.md"),
            ...more,
        });
    const file = (name: string) => readFileSync(join(project.folder, name), "utf8");
    const resize = (cpuMillis: number) => {
        const id = project.emulator.snapshot().services[0]?.service_id ?? "";
        project.emulator.updateService(id, { size: { cpuMillis, memoryGbs: cpuMillis / 250 } });
    };

    test("drift detection on GitHub creates one issue, updates it, and does nothing without drift", async () => {
        const commands = join(project.folder, "commands");
        mkdirSync(commands);
        writeFileSync(join(commands, "gh"), fakeGhIssues);
        chmodSync(join(commands, "gh"), 0o755);
        const job = async () => {
            await run(scriptOf("drift.yml", "Preview"));
            await run(scriptOf("drift.yml", "Issue"), { PATH: `${commands}:${process.env.PATH ?? ""}` });
        };
        const issues = () => JSON.parse(file("issues.json")) as { title: string; body: string }[];

        await job();
        expect(existsSync(join(project.folder, "issues.json"))).toBe(false);
        resize(2000);
        await job();
        resize(4000);
        await job();
        expect(issues()).toEqual([{ number: 7, title: "Drift in test", body: file("drift.md") }]);
        expect(issues()[0]?.body).toContain("1 resize 4000m/16GB -> 1000m/4GB, restarts the service");
        resize(1000);
        await job();
        expect(issues()[0]?.body).toContain("4000m");
    }, 300_000);

    test("drift detection on GitLab creates one issue, updates it, and does nothing without drift", async () => {
        const issues: { iid: number; title: string; description: string }[] = [];
        const calls: string[] = [];
        const { host } = await serve((response, { method, url, body }) => {
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
        const job = () => run(gitlabScript("drift"), gitlab);

        await job();
        expect(calls).toEqual([]);
        resize(2000);
        await job();
        resize(4000);
        await job();
        const path = "/projects/9/issues";
        expect(calls).toEqual([`GET ${path}`, `POST ${path}`, `GET ${path}`, `PUT ${path}/5`]);
        expect(issues[0]?.title).toBe("Drift in test");
        expect(issues[0]?.description).toContain("1 resize 4000m/16GB -> 1000m/4GB, restarts the service");
        resize(1000);
    }, 300_000);

    test("a failed preview fails the job", async () => {
        project.env({ CLOUDDB_ACCESS_TOKEN: "wrong" });
        await expect(run(scriptOf("drift.yml", "Preview"))).rejects.toThrow();
        await expect(run(gitlabScript("drift"))).rejects.toThrow();
    }, 300_000);
});

describe("the workflows", () => {
    test("the documented workflow previews, comments and deploys", async () => {
        const project = await startProject(fromText(program()));
        const { folder, emulator, environment } = project;
        const commands = join(folder, "commands");
        mkdirSync(commands);
        writeFileSync(join(commands, "gh"), fakeGh);
        chmodSync(join(commands, "gh"), 0o755);
        const run = (script: string, token: string) =>
            runShell(script, folder, {
                ...environment(),
                PATH: `${commands}:${process.env.PATH ?? ""}`,
                PULUMI_STACK: "test",
                GITHUB_REPOSITORY: "us/shop",
                GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
                CLOUDDB_ACCESS_TOKEN: token,
            });

        await run(scriptOf("preview.yml", "Preview"), "");
        const comment = readFileSync(join(folder, "comment.md"), "utf8");
        expect(comment).toContain("2 created");
        expect(readFileSync(join(folder, "summary.md"), "utf8")).toBe(comment);
        // The last comment is from another job and must not change.
        const others = [
            { id: 98, body: "Looks good.\n\n<!-- clouddb-plan tests/test -->" },
            { id: 99, body: "<!-- clouddb-plan tests/live -->\n\nAnother stack" },
        ];
        const comments = join(folder, "comments.json");
        writeFileSync(comments, JSON.stringify(others));
        const written = () => JSON.parse(readFileSync(comments, "utf8")) as { id: number; body: string }[];
        await run(scriptOf("preview.yml", "Comment"), "");
        expect(written()).toEqual([...others, { id: 102, body: comment }]);

        await run(scriptOf("deploy.yml", "Up"), emulator.token);
        expect(emulator.snapshot().services).toHaveLength(1);

        // A failed preview writes a comment with the reason, and fails the step.
        project.write(program("nonsense"));
        await expect(run(scriptOf("preview.yml", "Preview"), "")).rejects.toThrow();
        const failure = readFileSync(join(folder, "comment.md"), "utf8");
        expect(failure).toContain("the preview failed");
        await run(scriptOf("preview.yml", "Comment"), "");
        expect(written()).toEqual([...others, { id: 102, body: failure }]);
    }, 300_000);
});

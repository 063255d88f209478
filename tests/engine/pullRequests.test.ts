import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { planComment } from "../../cli/planComment/comment";
import { parsePreview } from "../../cli/planComment/preview";
import { removeStacks } from "../support/engine";
import { fromText, runShell, startProject, type TestProject } from "../support/project";

const root = join(__dirname, "..", "..");

afterAll(removeStacks);

const program = ({ cidr = "10.0.0.0/21", cpuMillis = 1000 } = {}) => `
import * as clouddb from "pulumi-clouddb";
const network = new clouddb.Vpc("network", { cidr: "${cidr}", regionCode: "us-east-1" });
new clouddb.Service("orders", { name: "orders", cpuMillis: ${cpuMillis}, memoryGbs: ${cpuMillis / 250}, vpcId: network.vpcId });
`;

const write = ({ folder }: TestProject, text: string) => writeFileSync(join(folder, "index.ts"), text);

describe("the plan of a real preview as a comment", () => {
    let project: TestProject;

    beforeAll(async () => {
        project = await startProject(fromText(program()));
        project.env({ CLOUDDB_ACCESS_TOKEN: "" });
    }, 60_000);

    const preview = async () => planComment(parsePreview((await project.pulumi("preview", "--json")).stdout));

    test("of a new stack: each call, no token needed", async () => {
        const comment = await preview();
        expect(comment).toContain("### `test` of `tests`: 2 created");
        expect(comment).toMatch(/\*\*Service `orders`\*\* is created\n\n```text\n1 create service "orders"/);
        expect(comment).toContain("2 attach to VPC (known after apply)");
        expect(comment).not.toContain("[!WARNING]");
    }, 60_000);

    test("of a change: what is replaced or restarted comes first", async () => {
        project.env({ CLOUDDB_ACCESS_TOKEN: project.emulator.token });
        await project.pulumi("up", "--yes", "--skip-preview");
        project.env({ CLOUDDB_ACCESS_TOKEN: "" });
        expect(await preview()).toContain("no changes");

        write(project, program({ cidr: "10.8.0.0/21", cpuMillis: 2000 }));
        const comment = await preview();
        expect(comment).toContain("1 replaced, 1 changed");
        expect(comment).toContain("> - Vpc `network` is **replaced** because of `cidr`");
        expect(comment).toMatch(/> - Service `orders`: `resize .* restarts the service`/);
        expect(comment.indexOf("[!WARNING]")).toBeLessThan(comment.indexOf("```text"));
        expect(comment).toMatch(/1 detach from VPC \d+\n2 attach to VPC \(known after apply\)\n3 resize/);

        write(project, program({ cpuMillis: 1000 }).replace(/new clouddb.Service.*\n/, ""));
        expect(await preview()).toContain("> - Service `orders` is **deleted**");
    }, 120_000);

    test("of a program with a mistake: the error, and nothing else", async () => {
        write(project, program({ cidr: "10.0.0.0/99" }));
        const bad = await project.failing("preview", "--json");
        const comment = planComment(parsePreview(bad.stdout));
        expect(comment).toContain("the preview failed");
        expect(comment).toContain('cidr "10.0.0.0/99" is not an IPv4 network');
    }, 60_000);

    test("of a program that does not run", async () => {
        write(project, "throw new Error('no such thing');\n");
        const bad = await project.failing("preview", "--json");
        const comment = planComment(parsePreview(bad.stdout));
        expect(comment).toContain("the preview failed");
        expect(comment).toContain("no such thing");
    }, 60_000);
});

interface Workflow {
    jobs: Record<string, { steps: { name?: string; run?: string }[] }>;
}

/** What a step of a workflow runs. */
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

/** Keeps the comments of one pull request in comments.json; of jq it knows what the workflow asks for. */
const standInForGh = `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { parseArgs } = require("node:util");
const options = { paginate: { type: "boolean" }, silent: { type: "boolean" }, method: { type: "string", default: "GET" }, field: { type: "string" }, jq: { type: "string" } };
const { values, positionals: [command, path] } = parseArgs({ options, allowPositionals: true });
const comments = existsSync("comments.json") ? JSON.parse(readFileSync("comments.json", "utf8")) : [];
const body = () => readFileSync(/^body=@(.*)$/.exec(values.field)[1], "utf8");
const answers = {
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
answers[values.method + " " + path]();
writeFileSync("comments.json", JSON.stringify(comments));
`;

describe("the workflows", () => {
    test("preview, comment and deploy", async () => {
        const project = await startProject(fromText(program()));
        const { folder, emulator, environment } = project;
        const commands = join(folder, "commands");
        mkdirSync(commands);
        writeFileSync(join(commands, "gh"), standInForGh);
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
        // Somebody else's job has written the last comment, and keeps it.
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

        // A preview that fails leaves a comment that says why, and fails the step.
        write(project, program({ cidr: "nonsense" }));
        await expect(run(scriptOf("preview.yml", "Preview"), "")).rejects.toThrow();
        const failure = readFileSync(join(folder, "comment.md"), "utf8");
        expect(failure).toContain("the preview failed");
        await run(scriptOf("preview.yml", "Comment"), "");
        expect(written()).toEqual([...others, { id: 102, body: failure }]);
    }, 120_000);
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { newFolder } from "../../support/folder";
import { describeWithJq, installFakeGh, stepOfPullRequest } from "../../support/gitHub";
import { gitlabScriptOf, scriptOf, workflowIn } from "../../support/workflows";

// The scripts of the documented workflows against hostile comments, branches and previews. workflowRules.test.ts reads the rest.

const bash = (script: string, cwd: string, env: NodeJS.ProcessEnv) => {
    const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-ec", script], { cwd, env, encoding: "utf8" });
    return { status, output: stdout + stderr };
};

interface Entry {
    readonly id?: number;
    readonly number?: number;
    readonly user: { readonly login: string };
    readonly body: string | null;
}

const [bot, outsider] = [{ login: "github-actions[bot]" }, { login: "outsider" }];
const plan = "<!-- clouddb-plan shop/prod -->";
const drift = "<!-- clouddb-drift shop/prod -->";

/** Runs a step that posts. Returns the comments or issues after it; the last one is new unless one was changed. */
function post(
    step: "Comment" | "Issue",
    { project = "name: shop\n", text, before }: { project?: string; text?: string; before: readonly Entry[] },
): readonly Entry[] {
    const folder = newFolder();
    const [file, store, source] =
        step === "Comment" ? ["preview.yml", "comments.json", "comment.md"] : ["drift.yml", "issues.json", "drift.md"];
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
    write("Pulumi.yaml", project);
    write(store, JSON.stringify(before));
    if (text !== undefined) {
        write(source, text);
    }
    const env = { PATH: `${installFakeGh(folder)}:${process.env.PATH ?? ""}`, PULUMI_STACK: "prod" };
    const result = bash(scriptOf(file, step), folder, { ...stepOfPullRequest, ...env });
    expect(result).toMatchObject({ status: 0 });
    return JSON.parse(readFileSync(join(folder, store), "utf8")) as Entry[];
}

describeWithJq("the step that comments", () => {
    const foreign = [
        { id: 1, user: outsider, body: `${plan}\n\nNothing changes.` },
        { id: 2, user: bot, body: "a comment of another workflow" },
        { id: 3, user: bot, body: plan.replace("prod", "dev") },
    ];
    const own = { id: 4, user: bot, body: `${plan}\n\nold` };
    const text = `${plan}\n\n### new\n`;

    test("changes no comment of another author, workflow or stack", () => {
        expect(post("Comment", { text, before: foreign })).toMatchObject([...foreign, { body: text }]);
        expect(post("Comment", { text, before: [...foreign, own] })).toEqual([...foreign, { ...own, body: text }]);
    });

    test.each([
        ["has written nothing", undefined],
        ["prints a secret", "error: postgres://tsdbadmin:secret@host"],
        ["has the text of another stack", `${plan.replace("prod", "dev")}\n\nsecret`],
    ])("posts that the preview did not start, with the run and no text of it, if it %s", (_, printed) => {
        const after = post("Comment", { ...(printed !== undefined && { text: printed }), before: [...foreign, own] });
        expect(after.slice(0, -1)).toEqual(foreign);
        expect(after.at(-1)).toMatchObject({ id: 4, user: bot });
        expect(after.at(-1)?.body).toBe(
            `${plan}\n\nThe preview of \`prod\` did not start: [its log](https://github.example/us/shop/actions/runs/77).\n`,
        );
    });

    test.each(["name:\n", "name: $(touch hacked)\n", 'name: ") or true or ("\n'])(
        "takes no marker from Pulumi.yaml with %j, and then changes no comment",
        (project) => {
            const after = post("Comment", { project, text, before: [...foreign, own] });
            expect(after.slice(0, -1)).toEqual([...foreign, own]);
            expect(after.at(-1)?.body).toMatch(/^\n*The preview of `prod` did not start/);
        },
    );

    test("finds the name between quotation marks, and no other one", () => {
        for (const project of ['description: x\nname: "shop" # ours\n', "name: 'shop'\nnames: other\n"]) {
            expect(post("Comment", { project, text, before: [own] })).toEqual([{ ...own, body: text }]);
        }
    });
});

describeWithJq("the step that opens an issue", () => {
    const foreign = [
        { number: 1, user: outsider, body: `${drift}\n\nNothing.` },
        { number: 2, user: bot, body: null },
        { number: 3, user: bot, body: plan },
    ];
    const own = { number: 4, user: bot, body: drift };
    const text = `${drift}\n\nnew`;

    test("changes no issue of another author or stack", () => {
        expect(post("Issue", { text, before: foreign })).toMatchObject([...foreign, { body: text }]);
        expect(post("Issue", { text, before: [...foreign, own] })).toMatchObject([...foreign, { ...own, body: text }]);
    });

    test("changes none if Pulumi.yaml has no name, and opens none without drift", () => {
        expect(post("Issue", { project: "", text, before: [own] })).toMatchObject([own, { body: text }]);
        expect(post("Issue", { text: "", before: [own] })).toEqual([own]);
    });
});

describe("the GitLab jobs", () => {
    /** Runs a job with a curl that stores its arguments, standard input and text. */
    function run(job: string, files: Readonly<Record<string, string>>) {
        const folder = newFolder();
        for (const [name, text] of Object.entries(files)) {
            writeFileSync(join(folder, name), text);
        }
        const curl = `curl() {
            printf '%s\\n' "$@" >> arguments; cat >> input
            case "$*" in */user) cat user ;; *issues\\?*) cat issues ;; *) cat comment-prod.md drift-prod.md > posted 2> errors || true ;; esac
        }`;
        const env = {
            PATH: process.env.PATH,
            PULUMI_STACK: "prod",
            COMMENT_TOKEN: "the-token",
            CI_API_V4_URL: "https://gitlab.example",
            CI_PIPELINE_URL: "https://gitlab.example/pipelines/7",
        };
        expect(bash(`${curl}\n${gitlabScriptOf(job)}`, folder, env)).toMatchObject({ status: 0 });
        const file = (name: string) => readFileSync(join(folder, name), "utf8");
        expect(file("input")).toContain('header = "PRIVATE-TOKEN: the-token"\n');
        expect(file("arguments")).not.toContain("the-token");
        return { posted: file("posted"), sent: file("arguments") };
    }

    test("post the plan, or that the preview did not start and none of its text", () => {
        expect(run(".comment", { "comment-prod.md": `${plan}\n\nplan\n` }).posted).toBe(`${plan}\n\nplan\n`);
        for (const files of [{}, { "comment-prod.md": "error: secret" }]) {
            expect(run(".comment", files).posted).toBe(
                "The preview of `prod` did not start: [its log](https://gitlab.example/pipelines/7).\n",
            );
        }
    });

    test.each([
        ["name: shop\n", "--request PUT", "issues/5"],
        ["", "--request POST", "issues"],
    ])("select an issue of their own user by the name in %j", (project, method, address) => {
        const issues = JSON.stringify([
            { iid: 4, description: null },
            { iid: 5, description: drift },
        ]);
        const files = { "Pulumi.yaml": project, "drift-prod.md": `${drift}\n\nnew\n`, user: '{ "id": 3 }', issues };
        const sent = run("issue", files).sent.split("\n").join(" ");
        expect(sent).toContain("author_id=3&");
        expect(sent).toContain(method);
        expect(sent).toMatch(new RegExp(`/${address} $`));
    });
});

/** Runs the jobs of preview-database.yml for an event in which the branch is hostile. */
function databaseJobs(event: string) {
    const folder = newFolder();
    const shell = (script: string, cwd = folder, env: NodeJS.ProcessEnv = {}) => {
        const result = bash(script, cwd, { PATH: process.env.PATH, HOME: folder, ...env });
        expect(result).toMatchObject({ status: 0 });
        return result.output;
    };
    const commands = join(folder, "commands");
    mkdirSync(commands);
    const command = (name: string, script: string) =>
        writeFileSync(join(commands, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    // npm runs the script of the package, unless it must not, and Pulumi the program.
    command("npm", 'case "$*" in *--ignore-scripts*) ;; *) sh install.sh ;; esac');
    command("pulumi", 'echo "pulumi $* with $CLOUDDB_ACCESS_TOKEN" >> ../log; [ "$1" != up ] || sh program.sh');
    command("node", "true");
    const branch = (name: string, line: string) =>
        `for file in install program; do echo "${line} >> ../log" > $file.sh; done; git add . && git commit --quiet --message ${name}`;
    shell(
        [
            "git init --quiet --initial-branch main repository && cd repository",
            "git config user.name us && git config user.email us@example.com",
            branch("main", "echo main"),
            `git checkout --quiet -b hostile && ${branch("hostile", "echo HOSTILE")}`,
        ].join("\n"),
    );
    const repo = { full_name: "us/shop" };
    const github = { event_name: event, repository: "us/shop", event: { pull_request: { head: { repo } } } };
    const selected = Object.values(workflowIn("preview-database.yml").jobs).filter(({ if: condition = "" }) =>
        Boolean(runInNewContext(condition, { github })),
    );
    for (const { steps = [] } of selected) {
        for (const { uses = "", run, with: given, env } of steps) {
            if (uses.startsWith("actions/checkout@")) {
                // Without a ref, the event decides: what would be merged, or main.
                const ref = given?.ref ?? (event === "pull_request" ? "hostile" : "main");
                shell(`git clone --quiet --branch ${ref} repository job`);
            }
            if (run !== undefined) {
                shell(run, join(folder, "job"), {
                    PATH: `${commands}:${process.env.PATH ?? ""}`,
                    PULUMI_STACK: "pr-42",
                    ...(env?.CLOUDDB_ACCESS_TOKEN !== undefined && { CLOUDDB_ACCESS_TOKEN: "token" }),
                });
            }
        }
    }
    const log = join(folder, "log");
    return {
        environments: selected.map(({ environment }) => environment),
        log: existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [],
    };
}

describe("preview-database.yml with a hostile branch", () => {
    test("deletes the copy of a closed pull request, and executes nothing of the branch", () => {
        expect(databaseJobs("pull_request_target")).toEqual({
            environments: ["preview-database-delete"],
            log: [
                "pulumi stack select --create pr-42 with token",
                "pulumi destroy --yes --remove --non-interactive with token",
            ],
        });
    });

    test("runs the branch only in the environment with reviewers", () => {
        const { environments, log } = databaseJobs("pull_request");
        expect(environments).toEqual(["preview-database"]);
        expect(log.filter((line) => line.includes("HOSTILE"))).toHaveLength(1);
        expect(log.at(-1)).toBe("pulumi stack output connectionString --show-secrets with");
    });
});

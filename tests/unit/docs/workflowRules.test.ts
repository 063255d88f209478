import { pages, read } from "../../support/documents";
import { gitlabJobs, gitlabText, scriptOf, stepsOf, textOf, workflowFiles, workflowIn } from "../../support/workflows";

// docs/pipelines.md#who-gets-which-secret, held by each documented workflow. workflowRuns.test.ts executes their steps.

const key = ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];

/** The steps with secrets, and these. All other parts of the workflows have none. */
const secrets: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    "deploy.yml": {},
    "night-pause.yml": {},
    "preview.yml": { "preview: Preview": key, "comment: Comment": ["github.token"] },
    "up.yml": {
        "up: Reviewers": ["github.token"],
        "up: Up": [...key, "CLOUDDB_ACCESS_TOKEN", "vars.PASSWORD_VARIABLE"],
    },
    "drift.yml": { "drift: Preview": [...key, "CLOUDDB_ACCESS_TOKEN"], "drift: Issue": ["github.token"] },
    "preview-database.yml": {
        "create: Create": [...key, "PREVIEW_ACCESS_TOKEN"],
        "create: Use": key,
        "delete: Delete": [...key, "PREVIEW_ACCESS_TOKEN"],
    },
};

const secretsIn = (text: string): string[] =>
    [...text.matchAll(/\$\{\{ (?:secrets\.(\w+)|secrets\[([\w.]+)\]|(github\.token)) \}\}/g)].map(
        ([, name, variable, token]) => name ?? variable ?? token ?? "",
    );
const withoutComments = (text: string): string => text.replace(/^\s*#.*$/gm, "");
const headerOf = (text: string): string => /^(#.*\n)+/.exec(text)?.[0].replace(/\n#? */g, " ") ?? "";

describe.each(workflowFiles)("%s", (file) => {
    const { jobs, permissions } = workflowIn(file);
    const steps = stepsOf(file);

    test("has each secret only in the environment of the step that needs it", () => {
        const found = steps
            .map(
                ([job, { name = "", env = {} }]) =>
                    [`${job}: ${name}`, secretsIn(Object.values(env).join("\n"))] as const,
            )
            .filter(([, names]) => names.length > 0);
        expect(Object.fromEntries(found)).toEqual(secrets[file.replace("python/", "")]);
        const mentioned = withoutComments(textOf(file)).match(/\b(secrets[.[]|github\.token)/g) ?? [];
        expect(mentioned).toHaveLength(found.flatMap(([, names]) => names).length);
    });

    test("takes secrets only from an environment, and leaves no token in the checkout", () => {
        const withSecrets = Object.keys(secrets[file.replace("python/", "")] ?? {})
            .map((name) => name.split(":")[0] ?? "")
            .filter((job) => job !== "comment");
        expect(withSecrets.filter((job) => jobs[job]?.environment === undefined)).toEqual([]);
        const checkouts = steps.filter(([, { uses = "" }]) => uses.startsWith("actions/checkout@"));
        expect(checkouts.filter(([, step]) => step.with?.["persist-credentials"] !== false)).toEqual([]);
    });

    test("runs no install script of a dependency, and no command that is not installed", () => {
        const lines = steps.flatMap(([, { run = "" }]) => run.trim().split("\n"));
        const installing = lines.filter((line) => /\b(npm (ci|i|install)|pip install|pulumi install)\b/.test(line));
        const allowed = ["npm ci --ignore-scripts", "PIP_ONLY_BINARY=:all: pulumi install"];
        expect(installing.filter((line) => !allowed.includes(line))).toEqual([]);
        expect(lines.filter((line) => /\bnpx (?!--no-install )/.test(line))).toEqual([]);
    });

    test("has exact versions, and no text of a branch in a script", () => {
        const versions = steps.flatMap(([, step]) =>
            Object.entries(step.with ?? {}).flatMap(([name, value]) =>
                name.endsWith("-version") ? [String(value)] : [],
            ),
        );
        const pulumi = steps.filter(([, { uses = "" }]) => uses.startsWith("pulumi/actions@"));
        expect(pulumi.filter(([, step]) => step.with?.["pulumi-version"] === undefined)).toEqual([]);
        expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
        expect(textOf(file)).not.toMatch(/-latest\b|head_ref/);
        expect(steps.filter(([, { run = "" }]) => run.includes("${{"))).toEqual([]);
    });

    test("may write only what its own purpose needs", () => {
        const rights = [permissions, ...Object.values(jobs).map((job) => job.permissions ?? {})];
        const writes = rights.flatMap((one) => Object.entries(one).filter(([, right]) => right === "write"));
        const expected = file.endsWith("preview.yml")
            ? ["pull-requests"]
            : file.endsWith("drift.yml")
              ? ["issues"]
              : [];
        expect(writes.map(([name]) => name)).toEqual(expected);
    });
});

describe.each(["preview.yml", "python/preview.yml"])("%s", (file) => {
    const { jobs, permissions, concurrency } = workflowIn(file);

    test("posts with a job that checks out nothing and installs nothing, and alone may write", () => {
        expect(permissions).toEqual({ contents: "read" });
        expect(jobs.preview?.permissions).toBeUndefined();
        expect(jobs.comment?.permissions).toEqual({ contents: "read", "pull-requests": "write" });
        const parts = (jobs.comment?.steps ?? []).map(({ name, uses = "" }) => name ?? uses.split("@")[0]);
        expect(parts).toEqual(["actions/download-artifact", "Comment"]);
        expect(scriptOf(file, "Comment")).not.toMatch(/\b(npm|npx|node|pip|pulumi) /);
    });

    test("is cancelled only by its own pull request", () => {
        expect(concurrency?.group).toBe("preview-${{ github.event.number }}");
    });

    test("says in its header what everybody has who may push, without the key of prod", () => {
        const header = headerOf(textOf(file));
        expect(header).toContain(`preview-dev, preview-staging: ${key.join(" or ")}, the key of`);
        expect(header).toMatch(/must not open the state of prod\. - preview-prod has .* and the reviewers of prod/);
        expect(header.includes("plugin archive of the branch runs with the keys")).toBe(file.startsWith("python/"));
    });
});

test("preview-database.yml creates a copy only with an approval, and deletes it with main only", () => {
    const { jobs } = workflowIn("preview-database.yml");
    const checkedOut = Object.entries(jobs).map(([name, { environment, steps = [] }]) => [
        name,
        environment,
        steps.find(({ uses = "" }) => uses.startsWith("actions/checkout@"))?.with?.ref,
    ]);
    expect(checkedOut).toEqual([
        ["create", "preview-database", undefined],
        ["delete", "preview-database-delete", "main"],
    ]);
    const header = headerOf(textOf("preview-database.yml"));
    expect(header).toMatch(/can delete production.* preview-database has reviewers.* only the branch main may use it/);
});

describe("gitlab-ci.yml", () => {
    test("has the token of comments only in the jobs that post, without packages, and outside of arguments", () => {
        const posting = Object.keys(gitlabJobs).filter((job) =>
            JSON.stringify(gitlabJobs[job]).includes("COMMENT_TOKEN"),
        );
        expect(posting).toEqual([".comment", "issue"]);
        for (const job of posting) {
            expect(gitlabJobs[job]).toMatchObject({ before_script: [], environment: { name: "comment" } });
        }
        expect(["comment", "comment-prod"].map((job) => gitlabJobs[job]?.variables?.GIT_STRATEGY)).toEqual([
            "none",
            "none",
        ]);
        expect(
            gitlabText
                .match(/.*\$COMMENT_TOKEN.*/g)
                ?.filter((line) => !/^ *printf '.*' "\$COMMENT_TOKEN" \|/.test(line)),
        ).toEqual([]);
        expect(headerOf(gitlabText)).toContain("comment: COMMENT_TOKEN, a project token with the role Reporter");
    });

    test("keeps the key of prod from branches, and runs no install script", () => {
        expect(headerOf(gitlabText)).toMatch(/preview\/dev, preview\/staging: .* must not open the state of prod/);
        expect(JSON.stringify(gitlabJobs.preview)).not.toContain("prod");
        expect(gitlabJobs["preview-prod"]).toMatchObject({ rules: [{ when: "manual" }] });
        expect(gitlabText.match(/npm ci.*|npx (?!--no-install ).*/g)).toEqual(["npm ci --ignore-scripts"]);
    });
});

test("all pipelines have the same version of Pulumi, which is tested", () => {
    const pinned = workflowFiles.flatMap((file) => textOf(file).match(/(?<=pulumi-version: )[\d.]+/g) ?? []);
    const [, image = ""] = /^pulumi\/pulumi-nodejs:([\d.]+)$/.exec(gitlabJobs.default?.image ?? "") ?? [];
    expect(new Set([...pinned, image]).size).toBe(1);
    expect(
        /^- \*\*With\*\*: .*$/m.exec(read("docs/installation-configuration.md#versions-and-support"))?.[0],
    ).toContain(image);
});

test("no page and no message asks npx for a package that may not be installed", () => {
    const sources = [...pages, "tests/unit/lifecycle/approved/messages.txt", "cli/planComment/main.ts"];
    const found = sources.flatMap((source) => read(source).match(/.*\bnpx (?!--no-install |does not ).*/g) ?? []);
    expect(found).toEqual([]);
});

test("docs/pipelines.md names what a package needs whose install script is not run", () => {
    expect(read("docs/pipelines.md#who-gets-which-secret")).toMatch(/--ignore-scripts.*`npm rebuild NAME`/);
});

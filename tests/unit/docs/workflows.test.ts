import { basename } from "node:path";
import { parse } from "yaml";
import { filesBelow, read } from "../../support/documents";
import { deployed, jobsOf } from "../../support/workflows";

const files = filesBelow("examples/workflows", ".yml");
/** The comment at the beginning of a file. */
const headerOf = (file: string): string => /^(?:#.*\n)+/.exec(read(file))?.[0] ?? "";

test.each(files)("%s describes each variable and each secret of the platform that it uses", (file) => {
    const described = `${headerOf("examples/workflows/preview.yml")}${headerOf(file)}`;
    const used = [
        ...read(file).matchAll(/\bvars\.(\w+)/g),
        ...read(file).matchAll(/\bsecrets\.((?:CLOUDDB|PREVIEW)_\w+)/g),
    ].map(([, name = ""]) => name);
    expect(used.filter((name) => !described.includes(name))).toEqual([]);
});

const stacks = deployed().map(({ stack }) => stack);
const stacksOf = (file: string) => Object.values(jobsOf(file)).flatMap(({ strategy }) => strategy?.matrix.stack ?? []);
const protectedStacks = deployed().flatMap(({ stack, reviewers }) => (reviewers === "" ? [] : [stack]));

test("deploy.yml updates each stack only after the one before it, and the last one only after a review", () => {
    expect(deployed().map(({ after }) => after)).toEqual([undefined, ...stacks.slice(0, -1)]);
    expect(Object.keys(jobsOf("deploy.yml"))).toEqual(stacks);
    expect(protectedStacks).toEqual(stacks.slice(-1));
});

test.each(["preview.yml", "preview-python.yml", "drift.yml"])("%s runs for each stack of deploy.yml", (file) => {
    expect(stacksOf(file)).toEqual(stacks);
});

test("night-pause.yml runs only for stacks that need no review", () => {
    expect(stacksOf("night-pause.yml")).toEqual(stacks.filter((stack) => !protectedStacks.includes(stack)));
});

test("no workflow except up.yml uses the environment of a deployment, or has its variables and concurrency", () => {
    const others = files.filter((file) => !/\/(up|deploy)\.yml$/.test(file));
    const environments = others.flatMap((file) =>
        Object.values(jobsOf(basename(file))).map(({ environment }) => environment),
    );
    expect(environments.filter((one) => one !== undefined)).toEqual(["drift-${{ matrix.stack }}"]);
    expect(files.filter((file) => read(file).includes("vars.PULUMI_STACK"))).toEqual([]);
    expect(others.filter((file) => read(file).includes("group: deploy"))).toEqual([]);
    expect(stacks.filter((stack) => !headerOf("examples/workflows/drift.yml").includes(`drift-${stack}`))).toEqual([]);
});

test("each workflow that another one calls exists", () => {
    const called = files.flatMap((file) => Object.values(jobsOf(basename(file))).flatMap(({ uses }) => uses ?? []));
    expect(new Set(called)).toEqual(new Set(["./.github/workflows/up.yml"]));
    expect(files).toContain("examples/workflows/up.yml");
});

test("gitlab-ci.yml has the same stacks, in the same order, and updates the last one by hand", () => {
    const jobs = parse(read("examples/gitlab-ci.yml")) as Record<
        string,
        { needs?: string[]; extends?: string; rules?: { when?: string }[]; parallel?: unknown } | undefined
    >;
    const names = Object.keys(jobs).filter((name) => jobs[name]?.extends === ".up");
    expect(names).toEqual(stacks.map((stack) => `up-${stack}`));
    expect(names.map((name) => jobs[name]?.needs)).toEqual([undefined, ...names.slice(0, -1).map((name) => [name])]);
    expect(names.map((name) => jobs[name]?.rules?.[0]?.when)).toEqual([undefined, undefined, "manual"]);
    expect(jobs[".stacks"]?.parallel).toEqual({ matrix: [{ PULUMI_STACK: stacks }] });
});

test("the steps that install a program in Node.js are the same in all workflows for it", () => {
    const install = ["preview.yml", "drift.yml", "up.yml"].map((file) => {
        const text = read(`examples/workflows/${file}`);
        return text.slice(text.indexOf("      - uses: actions/checkout"), text.indexOf("      - run: npm ci"));
    });
    expect(install[0]).toContain("setup-node");
    expect(new Set(install).size).toBe(1);
});

test("the night of night-pause.yml begins at one of its two schedules", () => {
    const workflow = parse(read("examples/workflows/night-pause.yml")) as {
        on: { schedule: { cron: string }[]; workflow_dispatch: { inputs: { mode: { options: string[] } } } };
    };
    const schedules = workflow.on.schedule.map(({ cron }) => cron);
    const config = jobsOf("night-pause.yml")["night-pause"]?.with?.config ?? "";
    const night = /^mode=.*github\.event\.schedule == '([^']+)' && 'night' \|\| 'day'/.exec(config)?.[1];
    expect(schedules).toHaveLength(2);
    expect(schedules).toContain(night);
    expect(workflow.on.workflow_dispatch.inputs.mode.options).toEqual(["day", "night"]);
});

test("preview-python.yml writes the comment like preview.yml, and installs neither Node.js nor npm packages", () => {
    const [forPython = "", other = ""] = ["preview-python", "preview"].map((name) =>
        read(`examples/workflows/${name}.yml`),
    );
    const commentStep = (text: string) => text.slice(text.indexOf("- name: Comment"));
    expect(commentStep(forPython)).toBe(commentStep(other));
    expect(forPython.replace(/^#.*$/gm, "")).not.toMatch(/\b(node|npm|npx)\b/);
});

import { parse } from "yaml";
import { filesBelow, read } from "../../support/documents";

const files = filesBelow("examples/workflows", ".yml");
/** The comment at the beginning of a file. */
const headerOf = (file: string): string => /^(?:#.*\n)+/.exec(read(file))?.[0] ?? "";

test.each(files)("%s describes each variable and each secret of the platform that it uses", (file) => {
    const described = `${headerOf("examples/workflows/preview.yml")}${headerOf(file)}`;
    const used = [
        ...read(file).matchAll(/\bvars\.(\w+)/g),
        ...read(file).matchAll(/\bsecrets\.((?:CLOUDDB|PREVIEW)_\w+)/g),
    ].map(([, name = ""]) => name);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !described.includes(name))).toEqual([]);
});

test("the night of night-pause.yml begins at one of its two schedules", () => {
    const workflow = parse(read("examples/workflows/night-pause.yml")) as {
        on: { schedule: { cron: string }[]; workflow_dispatch: { inputs: { mode: { options: string[] } } } };
        jobs: Record<string, { env: { MODE: string } } | undefined>;
    };
    const schedules = workflow.on.schedule.map(({ cron }) => cron);
    const night = /github\.event\.schedule == '([^']+)' && 'night' \|\| 'day'/.exec(
        workflow.jobs["night-pause"]?.env.MODE ?? "",
    )?.[1];
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

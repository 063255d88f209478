import { parse } from "yaml";
import { filesBelow, read } from "./documents";

/** The tested parts of a step in a GitHub workflow. */
export interface Step {
    readonly name?: string;
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, string | boolean>>;
    readonly env?: Readonly<Record<string, string>>;
}

/** The tested parts of a job. */
export interface Job {
    readonly if?: string;
    readonly "runs-on"?: string;
    readonly environment?: string;
    readonly permissions?: Readonly<Record<string, string>>;
    readonly with?: { readonly stack?: string };
    readonly steps?: readonly Step[];
}

/** The tested parts of a workflow. */
export interface Workflow {
    readonly permissions: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly concurrency?: { readonly group: string };
    readonly jobs: Readonly<Record<string, Job>>;
}

const folder = "examples/workflows";

/** The names of the documented workflows; those for Python begin with their folder. */
export const workflowFiles: readonly string[] = filesBelow(folder, ".yml").map((path) => path.slice(folder.length + 1));

export const textOf = (file: string): string => read(`${folder}/${file}`);

export const workflowIn = (file: string): Workflow => parse(textOf(file)) as Workflow;

/** The steps of a workflow, with the names of their jobs. */
export const stepsOf = (file: string): (readonly [job: string, step: Step])[] =>
    Object.entries(workflowIn(file).jobs).flatMap(([job, { steps = [] }]) => steps.map((step) => [job, step] as const));

export function scriptOf(file: string, step: string): string {
    const script = stepsOf(file).find(([, { name }]) => name === step)?.[1].run;
    if (script === undefined) {
        throw new Error(`There is no step ${step} in ${file}.`);
    }
    return script;
}

/** A job of examples/gitlab-ci.yml; those that others extend begin with a dot. */
export interface GitlabJob {
    readonly script?: readonly string[];
    readonly before_script?: readonly string[];
    readonly variables?: Readonly<Record<string, string>>;
}

export const gitlabText = read("examples/gitlab-ci.yml");

export const gitlabJobs = parse(gitlabText) as Readonly<Record<string, GitlabJob & { readonly image?: string }>>;

/** The script of a GitLab job. */
export const gitlabScriptOf = (job: string): string => gitlabJobs[job]?.script?.join("\n") ?? "";

/** The stacks of deploy.yml, in the order of their deployment. */
export const deployed = (): { readonly stack: string }[] =>
    Object.values(workflowIn("deploy.yml").jobs).map(({ with: { stack = "" } = {} }) => ({ stack }));

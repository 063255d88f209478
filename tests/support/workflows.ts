import { parse } from "yaml";
import { read } from "./documents";

/** The tested parts of a job in a GitHub workflow. */
export interface Job {
    readonly uses?: string;
    readonly needs?: string;
    readonly environment?: string;
    readonly with?: Readonly<Record<string, string>>;
    readonly strategy?: { readonly matrix: { readonly stack: readonly string[] } };
    readonly steps?: readonly { readonly name?: string; readonly run?: string }[];
}

/** The jobs of a workflow in examples/workflows. */
export const jobsOf = (file: string): Readonly<Record<string, Job>> =>
    (parse(read(`examples/workflows/${file}`)) as { jobs: Record<string, Job> }).jobs;

/** The script of a step. */
export function scriptOf(file: string, step: string): string {
    const steps = Object.values(jobsOf(file)).flatMap((job) => job.steps ?? []);
    const script = steps.find(({ name }) => name === step)?.run;
    if (script === undefined) {
        throw new Error(`There is no step ${step} in ${file}.`);
    }
    return script;
}

/** The stacks of deploy.yml, in the order of their deployment, and the reviewers of each. */
export const deployed = (): { readonly stack: string; readonly reviewers: string; readonly after?: string }[] =>
    Object.values(jobsOf("deploy.yml")).map(({ needs, with: { stack = "", reviewers = "" } = {} }) => ({
        stack,
        reviewers,
        ...(needs !== undefined && { after: needs }),
    }));

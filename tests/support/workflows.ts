import { parse } from "yaml";
import { read } from "./documents";

/** The tested parts of a job in a GitHub workflow. */
interface Job {
    readonly with?: { readonly stack?: string };
    readonly steps?: readonly { readonly name?: string; readonly run?: string }[];
}

const jobsOf = (file: string): readonly Job[] =>
    Object.values((parse(read(`examples/workflows/${file}`)) as { jobs: Record<string, Job> }).jobs);

export function scriptOf(file: string, step: string): string {
    const steps = jobsOf(file).flatMap((job) => job.steps ?? []);
    const script = steps.find(({ name }) => name === step)?.run;
    if (script === undefined) {
        throw new Error(`There is no step ${step} in ${file}.`);
    }
    return script;
}

/** The stacks of deploy.yml, in the order of their deployment. */
export const deployed = (): { readonly stack: string }[] =>
    jobsOf("deploy.yml").map(({ with: { stack = "" } = {} }) => ({ stack }));

import type { Progressing, Step } from "./state";

/** Carries out the steps that are due and answers them, earliest first. */
export function progress<Values extends object>(thing: Progressing<Values>, now: number): Step<Values>[] {
    if (!(thing.steps[0] && thing.steps[0].at <= now)) return [];
    const firstLater = thing.steps.findIndex((step) => step.at > now);
    const due = thing.steps.splice(0, firstLater < 0 ? thing.steps.length : firstLater);
    for (const step of due) {
        if (step.status !== null) thing.status = step.status;
        Object.assign(thing.values, step.set);
    }
    return due;
}

/** Whether the last of the steps carried out was the end of the thing. */
export const isGone = (carriedOut: readonly Pick<Step<object>, "status">[]): boolean =>
    carriedOut.at(-1)?.status === null;

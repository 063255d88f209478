import type { Progressing, Step } from "./state";

/** Carries out the steps that are due and returns them, earliest first. The last step waits until the thing is settled. */
export function progress<Values extends object>(
    thing: Progressing<Values>,
    now: number,
    isSettled: () => boolean = () => true,
): Step<Values>[] {
    if (!(thing.steps[0] && thing.steps[0].at <= now)) return [];
    const firstLater = thing.steps.findIndex((step) => step.at > now);
    const end = firstLater >= 0 ? firstLater : isSettled() ? thing.steps.length : thing.steps.length - 1;
    const due = thing.steps.splice(0, end);
    for (const step of due) {
        if (step.status !== null) setStatus(thing, step.status, step.at);
        Object.assign(thing.values, step.set);
    }
    return due;
}

/** Changes the status, and keeps the time of the change. */
export function setStatus(thing: Pick<Progressing<object>, "status" | "statusAt">, status: string, at: number): void {
    if (thing.status === status) return;
    thing.status = status;
    thing.statusAt = at;
}

/** Whether the last of the steps carried out was the end of the thing. */
export const isGone = (carriedOut: readonly Pick<Step<object>, "status">[]): boolean =>
    carriedOut.at(-1)?.status === null;

import type { Dated, Progressing, Step } from "./state";

/** Carries out the steps that are due and returns them, earliest first. The last step waits until the record is settled. */
export function progress(record: Progressing<object>, now: number, isSettled: () => boolean): Step<object>[] {
    if (!(record.steps[0] && record.steps[0].at <= now)) {
        return [];
    }
    const firstLater = record.steps.findIndex((step) => step.at > now);
    const end = firstLater >= 0 ? firstLater : isSettled() ? record.steps.length : record.steps.length - 1;
    const due = record.steps.splice(0, end);
    for (const step of due) {
        if (step.status !== null) {
            setStatus(record, step.status, step.at);
        }
        assign(record, step.set);
    }
    return due;
}

/** Sets properties of a record. Each is one of its values, which are never optional, or of the record itself. */
export function assign(record: Dated & { values?: object }, properties: object = {}): void {
    const { values = {} } = record;
    for (const [name, value] of Object.entries(properties) as [string, unknown][]) {
        Object.assign(name in values ? values : record, { [name]: value });
    }
}

/** The number of earlier statuses that a record keeps. */
const maxPast = 50;

/** Changes the status and stores the time of the change, and the earlier status. */
export function setStatus(record: Omit<Progressing<object>, "steps">, status: string, at: number): void {
    if (record.status === status) {
        return;
    }
    const earlier = { status: record.status, at: record.statusAt ?? record.createdAt };
    record.past = [...(record.past ?? []), earlier].slice(-maxPast);
    record.status = status;
    record.statusAt = at;
}

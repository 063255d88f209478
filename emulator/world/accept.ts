import { conflict } from "../errors";
import { subjectOf, type Kind } from "./kind";
import type { Changing, Dated } from "./state";
import type { World } from "./world";

export const shownStatus = ({ override, status }: Pick<Changing, "override" | "status">): string =>
    override?.status ?? status;

/**
 * Rejects a request with 409 in all statuses except these, and while a change is in progress. `request` completes "It rejects"
 * in messages.
 */
export function must(kind: Kind, record: Changing, request: string, statuses: readonly string[]): void {
    const [subject, status] = [subjectOf(kind, record), shownStatus(record)];
    if (record.steps.length > 0) {
        throw conflict(
            `${subject} is busy with another change (status ${status}) and rejects ${request}. Try again later.`,
        );
    }
    if (!statuses.includes(status)) {
        throw conflict(`${subject} is ${status} and rejects ${request}. It must be ${statuses.join(" or ")}.`);
    }
}

/** Rejects the deletion of a resource that others are attached to, or that contains others. */
export function mustBeUnused(world: World, kind: Kind, record: Dated): void {
    const reject = (others: readonly { id: string }[], what: string, remedy: string): void => {
        if (others.length > 0) {
            const ids = others.map(({ id }) => id).join(", ");
            throw conflict(`${subjectOf(kind, record)} still has ${what}s (${ids}). ${remedy} them first.`);
        }
    };
    const attached = world.attachedTo(kind, record.id);
    const records = attached.map((one) => one.record);
    reject(records, `attached ${attached[0]?.kind.noun ?? ""}`, "Detach or delete");
    for (const child of world.childrenOf(kind)) {
        reject(world.within(child, record.id), child.noun, "Delete");
    }
}

import type { Provider } from "../provider";
import { ProtectedError, type Entry, type Failure } from "./entry";
import type { Notes } from "./notes";
import type { State } from "./state";
import { remove } from "./update";

/**
 * Deletes each entry after those that depend on it, in groups of entries that do not depend on each other. A failure ends the
 * deletions after its group. With `continueOnError`, and if the entry is protected, it only keeps the entries that the failed one
 * depends on. An entry that is pending deletion is not protected, and no protected entry keeps it.
 */
export async function deleteEntries(
    entries: readonly Entry[],
    state: State,
    provider: Provider,
    notes: Notes,
    { continueOnError = false, failed = [] }: { continueOnError?: boolean; failed?: readonly Entry[] } = {},
): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    const all = state.entries();
    const pending = state.pendingDeletion();
    const kept = new Set(failed.flatMap((entry) => [...neededBy(entry, all)]));
    for (const group of inGroups(entries)) {
        const work = group
            .filter((entry) => !kept.has(entry) && provider.cancelledAt() === undefined)
            .map(async (entry) => {
                try {
                    if (!entry.deletedFirst) {
                        if (entry.protect && !pending.includes(entry)) {
                            throw new ProtectedError(entry);
                        }
                        await remove(entry, provider, notes);
                    }
                    if (!provider.isDead()) {
                        state.drop(entry);
                    }
                } catch (error) {
                    failures.push({ key: entry.key, error });
                    const isFree = (one: Entry) => error instanceof ProtectedError && pending.includes(one);
                    neededBy(entry, all).forEach((needed) => isFree(needed) || kept.add(needed));
                }
            });
        await provider.whileAlive(Promise.all(work));
        const isFailed = failures.some(({ error }) => !(error instanceof ProtectedError));
        if (provider.isDead() || (isFailed && !continueOnError)) {
            break;
        }
    }
    return failures;
}

/** Groups of entries that do not depend on each other. The entries of a group depend only on those of later groups. */
function inGroups(entries: readonly Entry[]): Entry[][] {
    const groups: Entry[][] = [];
    for (let left = [...entries]; left.length > 0;) {
        const isFree = ({ dependencies }: Entry) => !left.some(({ urn }) => Object.values(dependencies).includes(urn));
        const group = left.filter(isFree);
        groups.unshift(group);
        left = left.filter((entry) => !group.includes(entry));
    }
    return groups;
}

/** The entries that an entry depends on, directly or not. */
function neededBy(entry: Entry, all: readonly Entry[], found = new Set<Entry>()): ReadonlySet<Entry> {
    const direct = all.filter((one) => Object.values(entry.dependencies).includes(one.urn) && !found.has(one));
    for (const one of direct) {
        found.add(one);
        // Services that exchange their names can depend on each other.
        neededBy(one, all, found);
    }
    return found;
}

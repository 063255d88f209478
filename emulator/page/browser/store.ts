import { kinds, shownEntries } from "../messages";
import type { About, Message, NumberedEntry, Resource, ResourceKind } from "../messages";

/** The resources of each kind by id. */
export type Resources = { [K in ResourceKind]: Map<string, Resource<K>> };

/** The state of the emulator on the page: all messages, applied in order. */
export class Store {
    about: About | undefined;
    readonly resources = Object.fromEntries(
        ["projects", ...kinds].map((kind) => [kind, new Map()]),
    ) as unknown as Resources;
    readonly entries = new Map<number, NumberedEntry>();
    faults: NonNullable<Message["faults"]> = [];
    durations: Partial<NonNullable<Message["durations"]>> = {};
    private receivedNow = 0;
    private receivedAt = 0;
    private lastNumber = -1;

    /** The time of the emulator's clock, in milliseconds since 1970. */
    get now(): number {
        return this.about?.isVirtualClock ? this.receivedNow : this.receivedNow + performance.now() - this.receivedAt;
    }

    apply({ now, about, changed = [], gone = [], journal, faults, durations }: Message): void {
        this.receivedNow = now;
        this.receivedAt = performance.now();
        if (about) {
            // The first message of a connection contains everything.
            this.about = about;
            for (const resources of Object.values(this.resources)) {
                resources.clear();
            }
            this.entries.clear();
            this.lastNumber = -1;
        }
        for (const resource of changed) {
            this.setResource(resource);
        }
        for (const { kind, id } of gone) {
            this.resources[kind].delete(id);
        }
        if (journal) {
            this.addEntries(journal);
        }
        if (faults) {
            this.faults = faults;
        }
        if (durations) {
            this.durations = durations;
        }
    }

    private setResource<Kind extends ResourceKind>(resource: Resource<Kind>): void {
        (this.resources[resource.kind] as Map<string, Resource<Kind>>).set(resource.id, resource);
    }

    private addEntries({ begin, entries }: NonNullable<Message["journal"]>): void {
        for (const entry of entries) {
            // Ignore the response to an entry that is no longer shown.
            if (entry.number <= this.lastNumber && !this.entries.has(entry.number)) {
                continue;
            }
            this.lastNumber = Math.max(this.lastNumber, entry.number);
            this.entries.set(entry.number, entry);
        }
        const left = { reads: shownEntries, changes: shownEntries };
        for (const { number, method } of [...this.entries.values()].reverse()) {
            const group = method === "GET" ? "reads" : "changes";
            if (number < begin || left[group] === 0) {
                this.entries.delete(number);
            } else {
                left[group]--;
            }
        }
    }
}

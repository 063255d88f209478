import { kinds, shownEntries } from "../messages";
import type { About, Kind, Message, NumberedEntry, Resource, ResourceKind, ResourceName } from "../messages";
import { displayName, keyOf } from "./format";

/** The resources of each kind by id. */
export type Resources = { [K in ResourceKind]: Map<string, Resource<K>> };

/** How long a deleted resource fades out. */
const leaveMs = 400;

/** The state of the emulator on the page: all messages, applied in order. */
export class Store {
    about: About | undefined;
    readonly resources = Object.fromEntries(
        ["projects", ...kinds].map((kind) => [kind, new Map()]),
    ) as unknown as Resources;
    readonly entries = new Map<number, NumberedEntry>();
    removed: NonNullable<Message["removed"]> = [];
    faults: NonNullable<Message["faults"]> = [];
    durations: Partial<NonNullable<Message["durations"]>> = {};
    speed = 1;
    /** The number of changes of each resource since the page has shown it. 0: it is new. */
    readonly revisions = new Map<string, number>();
    private readonly leaving = new Set<Resource>();
    private receivedNow = 0;
    private receivedAt = 0;
    private lastNumber = -1;

    /** `onChange` is called when something changes without a message. */
    constructor(private readonly onChange: () => void) {}

    /** The time of the emulator's clock, in milliseconds since 1970. */
    get now(): number {
        return this.about?.isVirtualClock ? this.receivedNow : this.receivedNow + performance.now() - this.receivedAt;
    }

    apply({ now, about, changed = [], gone = [], journal, ...others }: Message): void {
        this.receivedNow = now;
        this.receivedAt = performance.now();
        if (about) {
            // The first message of a connection contains everything.
            this.about = about;
            Object.values(this.resources).forEach((resources) => resources.clear());
            this.entries.clear();
            this.revisions.clear();
            this.lastNumber = -1;
        }
        changed.forEach((resource) => this.setResource(resource, about !== undefined));
        gone.forEach((name) => this.remove(name));
        if (journal) {
            this.addEntries(journal);
        }
        Object.assign(this, others);
    }

    /** The resources of a kind that exist. */
    all<K extends ResourceKind>(kind: K): Resource<K>[] {
        return [...this.resources[kind].values()].filter((one) => !this.isLeaving(one as Resource));
    }

    /** Whether a resource was deleted and fades out. */
    isLeaving(resource: Resource): boolean {
        return this.leaving.has(resource);
    }

    /** The name of a resource. Undefined if there is none with this id. */
    nameOf(kind: Kind, id: string): string | undefined {
        const resource = this.resources[kind].get(id);
        return resource && displayName(resource);
    }

    /** The resource that a request created or, otherwise, the last one in its path. */
    targetOf({ path, response }: NumberedEntry): Resource<Kind> | undefined {
        const { id, service_id: serviceId } = Object(response) as { id?: string; service_id?: string };
        for (const one of [id ?? serviceId ?? "", ...path.split(/[/?]/).reverse()]) {
            const kind = kinds.find((each) => this.resources[each].has(one));
            if (kind) {
                return this.resources[kind].get(one);
            }
        }
        return undefined;
    }

    private setResource<K extends ResourceKind>(resource: Resource<K>, isFirst: boolean): void {
        const [key, all] = [keyOf(resource), this.resources[resource.kind] as Map<string, Resource<K>>];
        const before = all.get(resource.id);
        if (before && JSON.stringify(before.value) !== JSON.stringify(resource.value)) {
            this.revisions.set(key, (this.revisions.get(key) ?? 0) + 1);
        } else if (!before && !isFirst) {
            this.revisions.set(key, 0);
        }
        all.set(resource.id, resource);
    }

    private remove({ kind, id }: ResourceName): void {
        const resource = this.resources[kind].get(id);
        const drop = (): void => {
            if (resource) {
                this.leaving.delete(resource);
            }
            if (this.resources[kind].get(id) === resource) {
                this.resources[kind].delete(id);
            }
        };
        if (!resource || matchMedia("(prefers-reduced-motion: reduce)").matches) {
            drop();
            return;
        }
        this.leaving.add(resource);
        setTimeout(() => {
            drop();
            this.onChange();
        }, leaveMs);
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

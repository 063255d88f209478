import { kindFacts, kinds, latestOf } from "../messages";
import type { About, Kind, Message, NumberedEntry, Resource, ResourceKind, ResourceName } from "../messages";
import { displayName, nameOf, parentIdOf } from "./format";

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
    /** The requests that the page shows, by number. */
    entries = new Map<number, NumberedEntry>();
    removed: NonNullable<Message["removed"]> = [];
    faults: NonNullable<Message["faults"]> = [];
    durations: Partial<NonNullable<Message["durations"]>> = {};
    speed = 1;
    private readonly leaving = new WeakSet();
    private receivedNow = 0;
    private receivedAt = 0;

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
        }
        for (const resource of changed) {
            (this.resources[resource.kind] as Map<string, Resource>).set(resource.id, resource);
        }
        gone.forEach((name) => this.remove(name));
        if (journal) {
            journal.entries.forEach((entry) => this.entries.set(entry.number, entry));
            const known = [...this.entries.values()]
                .filter(({ number }) => number >= journal.begin)
                .sort((a, b) => b.number - a.number);
            this.entries = new Map(latestOf(known).map((entry) => [entry.number, entry]));
        }
        Object.assign(this, others);
    }

    /** The resources of a kind that exist. */
    all<K extends ResourceKind>(kind: K): Resource<K>[] {
        return [...this.resources[kind].values()].filter((one) => !this.isLeaving(one));
    }

    /** Whether a resource was deleted and fades out. */
    isLeaving(resource: object): boolean {
        return this.leaving.has(resource);
    }

    /** The name of a resource. Undefined if there is none with this id. */
    nameOf(kind: Kind, id: string): string | undefined {
        const resource = this.resources[kind].get(id);
        return resource && displayName(resource);
    }

    /** The resource that contains another one. */
    parentOf(resource: Resource<Kind>): Resource | undefined {
        return this.resources[`${kindFacts[resource.kind].parent}s`].get(parentIdOf(resource));
    }

    /** The resource that a request created or, otherwise, the last one in its path; and its name, also if it does not exist. */
    targetOf({ body, path, response }: NumberedEntry): { name: string; resource?: Resource<Kind> } {
        const { id, service_id: serviceId } = Object(response) as { id?: string; service_id?: string };
        for (const one of [id ?? serviceId ?? "", ...path.split(/[/?]/).reverse()]) {
            const resource = kinds.map((kind) => this.resources[kind].get(one)).find(Boolean);
            if (resource) {
                return { name: displayName(resource), resource };
            }
        }
        const { name } = Object(body) as { name?: unknown };
        return { name: typeof name === "string" && name !== "" ? nameOf(name) : "" };
    }

    private remove({ kind, id }: ResourceName): void {
        const resource = this.resources[kind].get(id);
        if (!resource) {
            return;
        }
        this.leaving.add(resource);
        setTimeout(() => {
            // A new resource can have the same id after a reset.
            if (this.resources[kind].get(id) === resource) {
                this.resources[kind].delete(id);
            }
            this.onChange();
        }, leaveMs);
    }
}

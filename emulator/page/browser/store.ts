import { keyOf } from "../messages";
import type { About, Message, NumberedEntry, ResourceName, Shown } from "../messages";
import { displayName, nameOf } from "./format";
import type { Kind, Resource } from "./kinds";

/** The state of the emulator on the page. */
export class Store {
    about: About | undefined;
    /** The resources and projects by their keys. */
    private resources: ReadonlyMap<string, Shown> = new Map<string, Shown>();
    /** The requests that the page shows. */
    journal: Message["journal"] = [];
    removed: Message["removed"] = [];
    faults: Message["faults"] = [];
    speed = 1;
    private receivedNow = 0;
    private receivedAt = 0;

    /** The time of the emulator's clock, in milliseconds since 1970. */
    get now(): number {
        return this.about?.isVirtualClock ? this.receivedNow : this.receivedNow + performance.now() - this.receivedAt;
    }

    apply({ now, resources, ...others }: Message): void {
        this.receivedNow = now;
        this.receivedAt = performance.now();
        this.resources = new Map(resources.map((resource) => [keyOf(resource), resource]));
        Object.assign(this, others);
    }

    /** The kinds of the emulator. */
    get kinds(): readonly Kind[] {
        return Object.keys(this.about?.nouns ?? {}) as Kind[];
    }

    /** The resources of a kind. */
    all<K extends Kind>(kind: K): Resource<K>[] {
        return [...this.resources.values()].filter((one): one is Resource<K> => one.kind === kind);
    }

    get projects(): Shown[] {
        return [...this.resources.values()].filter(({ kind }) => kind === "projects");
    }

    /** The name of a resource. Undefined if it does not exist. */
    readonly nameOf = (name: ResourceName): string | undefined => {
        const resource = this.resources.get(keyOf(name));
        return resource && displayName(resource);
    };

    /** What contains a resource. */
    parentOf({ parent }: Shown): Shown | undefined {
        return parent && this.resources.get(keyOf(parent));
    }

    /** The resource that a request created or, otherwise, the last one in its path; and its name, also if it does not exist. */
    targetOf({ body, path, response }: NumberedEntry): { name: string; resource?: Resource } {
        const { id, service_id: serviceId } = Object(response) as { id?: string; service_id?: string };
        for (const one of [id ?? serviceId ?? "", ...path.split(/[/?]/).reverse()]) {
            const resource = this.kinds.map((kind) => this.resources.get(keyOf({ kind, id: one }))).find(Boolean);
            if (resource) {
                return { name: displayName(resource), resource: resource as Resource };
            }
        }
        const { name } = Object(body) as { name?: unknown };
        return { name: typeof name === "string" && name !== "" ? nameOf(name) : "" };
    }
}

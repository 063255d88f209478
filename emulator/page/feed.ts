import type { FaultReport } from "../faults/report";
import type { Journal } from "../journal";
import type { World } from "../world/world";
import { latestOf, shownEntries, type About, type Message, type NumberedEntry, type ResourceName } from "./messages";
import { removedOf, resourcesOf } from "./resources";

/** The parts of an emulator that a feed reads. */
export interface FeedSource {
    about: () => About;
    world: World;
    journal: Journal;
    faults: () => FaultReport[];
    durations: () => Readonly<Record<string, number>>;
    speed: () => number;
}

/** The state of an emulator for the page: complete for a new client, and then what has changed, which all clients share. */
export class Feed {
    private now: number | undefined;
    /** The resources that the clients know, as JSON, by kind and id. */
    private resources = new Map<string, { name: ResourceName; json: string }>();
    /** The JSON of the other parts that the clients know. */
    private readonly known = new Map<string, string>();
    private readonly journal: JournalFeed;

    constructor(private readonly source: FeedSource) {
        this.journal = new JournalFeed(source.journal);
    }

    /** Everything, as one line of JSON. */
    complete(): string {
        const { about, world } = this.source;
        world.catchUp();
        return lineOf({
            now: world.now,
            about: about(),
            changed: resourcesOf(world),
            journal: this.journal.complete(),
            ...this.others(),
        });
    }

    /** The changes since the last call, as one line of JSON. Undefined if there are none. */
    next(): string | undefined {
        const { world } = this.source;
        world.catchUp();
        const others = Object.entries(this.others()).filter(([name, value]) => {
            const [before, json] = [this.known.get(name), JSON.stringify(value)];
            this.known.set(name, json);
            return json !== before;
        });
        const update: Omit<Message, "now"> = {
            ...this.changedResources(),
            ...this.journal.next(),
            ...Object.fromEntries(others),
        };
        const { now } = world;
        const isMoved = this.source.about().isVirtualClock && now !== this.now;
        this.now = now;
        return Object.keys(update).length === 0 && !isMoved ? undefined : lineOf({ now, ...update });
    }

    /** The parts of a message that it contains completely if they have changed. */
    private others(): Required<Pick<Message, "removed" | "faults" | "durations" | "speed">> {
        const { durations, faults, speed, world } = this.source;
        return { removed: removedOf(world), faults: faults(), durations: durations(), speed: speed() };
    }

    private changedResources(): Pick<Message, "changed" | "gone"> {
        const known = this.resources;
        this.resources = new Map();
        const changed = resourcesOf(this.source.world).filter((resource) => {
            const key = `${resource.kind} ${resource.id}`;
            const json = JSON.stringify(resource);
            this.resources.set(key, { name: { kind: resource.kind, id: resource.id }, json });
            return known.get(key)?.json !== json;
        });
        const gone = [...known].filter(([key]) => !this.resources.has(key)).map(([, { name }]) => name);
        return { ...(changed.length > 0 && { changed }), ...(gone.length > 0 && { gone }) };
    }
}

const lineOf = (message: Message): string => `${JSON.stringify(message)}\n`;

/** The updates of the journal: new entries, and entries that have received their response. */
class JournalFeed {
    private begin: number | undefined;
    /** The number of the first entry that was not sent yet. */
    private unsent: number;
    private readonly unanswered = new Set<number>();

    constructor(private readonly journal: Journal) {
        this.unsent = journal.begin;
    }

    next(): Pick<Message, "journal"> {
        const { begin, end } = this.journal;
        const entries = [...this.answered(), ...latestOf(this.backwards(Math.max(this.unsent, begin), end))];
        this.noteUnanswered(entries);
        const isShorter = begin !== this.begin;
        this.begin = begin;
        this.unsent = end;
        return entries.length > 0 || isShorter ? { journal: { begin, entries } } : {};
    }

    /** The newest entries. */
    complete(): NonNullable<Message["journal"]> {
        const { begin, end } = this.journal;
        return { begin, entries: latestOf(this.backwards(begin, end)) };
    }

    private *answered(): Iterable<NumberedEntry> {
        for (const number of this.unanswered) {
            const entry = this.journal.entry(number);
            if (entry && entry.status === undefined) {
                continue;
            }
            this.unanswered.delete(number);
            if (entry) {
                yield { ...entry, number };
            }
        }
    }

    private *backwards(from: number, to: number): Iterable<NumberedEntry> {
        for (let number = to - 1; number >= from; number--) {
            const entry = this.journal.entry(number);
            if (entry) {
                yield { ...entry, number };
            }
        }
    }

    private noteUnanswered(entries: readonly NumberedEntry[]): void {
        for (const { number } of entries.filter(({ status }) => status === undefined)) {
            this.unanswered.add(number);
        }
        for (const number of this.unanswered) {
            if (this.unanswered.size <= shownEntries) {
                break;
            }
            this.unanswered.delete(number);
        }
    }
}

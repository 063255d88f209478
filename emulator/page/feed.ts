import type { Controlled } from "../controls";
import type { Journal } from "../journal";
import { keyOf, latestOf, shownEntries, type About, type Message, type NumberedEntry } from "./messages";
import { removedOf, resourcesOf } from "./resources";

/** The parts of an emulator that a feed reads. */
export interface FeedSource {
    about: () => About;
    controlled: Pick<Controlled, "durations" | "faults" | "journal" | "speed" | "world">;
}

/** The state of an emulator for the page: complete for a new client, and then what has changed, which all clients share. */
export class Feed {
    /** The JSON of what the clients know: resources by their keys, and other parts by their names. */
    private known = new Map<string, string>();
    private readonly journal: JournalFeed;

    constructor(private readonly source: FeedSource) {
        this.journal = new JournalFeed(source.controlled.journal);
    }

    /** Everything, as one line of JSON. */
    complete(): string {
        const { about, controlled } = this.source;
        const { world } = controlled;
        world.catchUp();
        const journal = this.journal.complete();
        return lineOf({ now: world.now, about: about(), changed: resourcesOf(world), journal, ...this.others() });
    }

    /** The changes since the last call, as one line of JSON. Undefined if there are none. */
    next(): string | undefined {
        const { about, controlled } = this.source;
        const { world } = controlled;
        world.catchUp();
        const { now } = world;
        const before = this.known;
        this.known = new Map();
        const isChanged = (key: string, value: unknown): boolean => {
            this.known.set(key, JSON.stringify(value));
            return before.get(key) !== this.known.get(key);
        };
        const isMoved = about().isVirtualClock && isChanged("now", now);
        const others = Object.entries(this.others()).filter(([name, value]) => isChanged(name, value));
        const changed = resourcesOf(world).filter((resource) => isChanged(keyOf(resource), resource));
        const gone = [...before.keys()].filter((key) => !this.known.has(key));
        const update: Omit<Message, "now"> = {
            ...(changed.length > 0 && { changed }),
            ...(gone.length > 0 && { gone }),
            ...this.journal.next(),
            ...Object.fromEntries(others),
        };
        return Object.keys(update).length === 0 && !isMoved ? undefined : lineOf({ now, ...update });
    }

    /** The parts of a message that it contains completely if they have changed. */
    private others(): Required<Pick<Message, "removed" | "faults" | "durations" | "speed">> {
        const { durations, faults, speed, world } = this.source.controlled;
        return { removed: removedOf(world), faults: faults.selection.report(), durations, speed };
    }
}

const lineOf = (message: Message): string => `${JSON.stringify(message)}\n`;

const isAnswered = ({ status }: NumberedEntry): boolean => status !== undefined;

/** The updates of the journal: new entries, and entries that have received their response. */
class JournalFeed {
    private begin: number | undefined;
    /** The number of the first entry that was not sent yet. */
    private unsent: number;
    /** The numbers of entries that were sent without a response. */
    private unanswered: readonly number[] = [];

    constructor(private readonly journal: Journal) {
        this.unsent = journal.begin;
    }

    next(): Pick<Message, "journal"> {
        const { begin, end } = this.journal;
        const waiting = this.unanswered.flatMap((number) => this.entry(number));
        const added = latestOf(this.backwards(Math.max(this.unsent, begin), end));
        const open = [...waiting, ...added].filter((entry) => !isAnswered(entry));
        const entries = [...waiting.filter(isAnswered), ...added];
        const isShorter = begin !== this.begin;
        this.unanswered = open.slice(-shownEntries).map(({ number }) => number);
        this.begin = begin;
        this.unsent = end;
        return entries.length > 0 || isShorter ? { journal: { begin, entries } } : {};
    }

    /** The newest entries. */
    complete(): NonNullable<Message["journal"]> {
        const { begin, end } = this.journal;
        return { begin, entries: latestOf(this.backwards(begin, end)) };
    }

    private entry(number: number): NumberedEntry[] {
        const entry = this.journal.entry(number);
        return entry ? [{ ...entry, number }] : [];
    }

    private *backwards(from: number, to: number): Iterable<NumberedEntry> {
        for (let number = to - 1; number >= from; number--) {
            yield* this.entry(number);
        }
    }
}

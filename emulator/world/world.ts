import type { Clock } from "../clock";
import { commonDurations, type Rules } from "./rules";
import { parentIdOf, singularOf, type Kind, type Subject } from "./kind";
import { recordStatus } from "./logs";
import { progress } from "./progress";
import { Random } from "./random";
import type { Changing, Dated, ProjectRecord, ServiceRecord, StatusOverride, Tally, WorldState } from "./state";

/** A world with empty projects. */
export const emptyWorld = (projects: readonly ProjectRecord[], seed: number): WorldState => ({
    random: new Random(seed).state,
    projects: projects.map((project) => ({ ...project })),
    records: {},
    counts: {},
});

const isChanging = (record: Dated): record is Changing => "steps" in record;

/** A resource that was deleted. */
export interface Removed extends Subject {
    at: number;
}

/** The number of deleted resources that a world keeps. */
const maxRemoved = 50;

const endOf = ({ until }: StatusOverride): number => until ?? Infinity;

/** Whether a step or the end of an override is due. */
function isDue({ steps: [step], override }: Changing, now: number): boolean {
    return (step !== undefined && step.at <= now) || (!!override && endOf(override) <= now);
}

/** All projects and resources, and their clock. */
export class World {
    readonly projects = new Map<string, ProjectRecord>();
    random = new Random(1);
    /** By the name of the kind. */
    counts: Record<string, Tally> = {};
    /** The records by id, by the name of their kind. */
    private readonly lists: ReadonlyMap<string, Map<string, Dated>>;
    /** The resources that were deleted, oldest first. Never written to a file. */
    removed: Removed[] = [];
    /** The latest time, and how far this world is ahead of its clock, in milliseconds. */
    private latest = -Infinity;
    private aheadMs = 0;
    /** The initial passwords of the services that were created since the start, by service id. Never written to a file. */
    readonly initialPasswords = new Map<string, string>();

    constructor(
        readonly kinds: readonly Kind[],
        readonly rules: Rules,
        private readonly clock: Clock,
        state: WorldState,
    ) {
        this.lists = new Map(kinds.map(({ name }) => [name, new Map<string, Dated>()]));
        this.restore(state);
    }

    /** The time in milliseconds since 1970. It continues from the latest time if the clock goes back. */
    get now(): number {
        const now = this.clock.now() + this.aheadMs;
        this.aheadMs += Math.max(0, this.latest - now);
        this.latest = Math.max(this.latest, now);
        return this.latest;
    }

    /** A time of this world by its clock. */
    onClock(at: number): number {
        return at - this.aheadMs;
    }

    /** Carries out all steps that are due. */
    catchUp(): void {
        const { now } = this;
        for (const kind of this.kinds) {
            for (const record of this.records(kind).values()) {
                // Each request comes here, and nothing is due for most records.
                if (isChanging(record) && isDue(record, now)) {
                    this.advance(kind, record, now);
                }
            }
        }
    }

    /** The records of a kind by id. */
    records<R extends Dated>({ name }: Kind<R>): Map<string, R> {
        return this.lists.get(name) as Map<string, R>;
    }

    /** The resources of all kinds, those without a parent first. */
    all(): Subject[] {
        return this.kinds.flatMap((kind) => [...this.records(kind).values()].map((record) => ({ kind, record })));
    }

    /** The records of a kind in a parent, oldest first. */
    within<R extends Dated>(kind: Kind<R>, parentId: string): R[] {
        return [...this.records(kind).values()].filter((record) => parentIdOf(kind, record) === parentId);
    }

    /** The kind that contains this one. Undefined if it is in a project. */
    parentOf({ parent }: Kind): Kind | undefined {
        return this.kinds.find((kind) => singularOf(kind) === parent);
    }

    /** The kinds that a resource of this kind contains. */
    childrenOf(kind: Kind): Kind[] {
        return this.kinds.filter(({ parent }) => parent === singularOf(kind));
    }

    /** The resources that are attached to this one. */
    attachedTo({ name }: Kind, id: string): Subject[] {
        return this.all().filter(
            ({ kind: { attached }, record }) => attached?.to === name && attached.idsOf(record).includes(id),
        );
    }

    /** The durations of a kind, as they are at present. */
    durations<Own extends Readonly<Record<string, number>>>(own: Own): Own {
        return { ...own, ...this.rules.durations };
    }

    /** The times of a new resource. */
    newTimes(): Pick<Dated, "createdAt" | "visibleAt" | "listedAt"> {
        const { now } = this;
        const { notFoundAfterCreate, notListedAfterCreate } = this.durations(commonDurations);
        return { createdAt: now, visibleAt: now + notFoundAfterCreate, listedAt: now + notListedAfterCreate };
    }

    add<R extends Dated>(kind: Kind<R>, record: R): void {
        this.records(kind).set(record.id, record);
        this.tallyOf(kind).made++;
    }

    /** Deletes a resource with all that it contains. What is attached to it remains. */
    remove(kind: Kind, id: string, at = this.now): void {
        const record = this.records(kind).get(id);
        if (!record) {
            return;
        }
        this.records(kind).delete(id);
        this.removed = [...this.removed, { kind, record, at }].slice(-maxRemoved);
        this.tallyOf(kind).removed++;
        for (const child of this.childrenOf(kind)) {
            this.within(child, id).forEach((contained) => this.remove(child, contained.id, at));
        }
        for (const { kind: other, record: attached } of this.attachedTo(kind, id)) {
            other.attached?.detach(attached, id);
        }
        this.initialPasswords.delete(id);
    }

    /** Whether an id is in use. */
    readonly isTaken = (id: string): boolean => this.kinds.some((kind) => this.records(kind).has(id));

    /** Carries out the steps of a record that are due. */
    private advance(kind: Kind, record: Changing, now: number): void {
        const done = progress(record, now, () => this.rules.servers.isSettled(record));
        if (record.override && endOf(record.override) <= now) {
            record.override = null;
        }
        const last = done.at(-1);
        if (last?.status === null) {
            this.remove(kind, record.id, last.at);
        }
        if ("log" in record) {
            done.forEach(({ status, at }) => recordStatus(record as ServiceRecord, status ?? "", at));
        }
    }

    private tallyOf({ name }: Kind): Tally {
        return (this.counts[name] ??= { made: 0, removed: 0 });
    }

    /** The complete state as plain data. */
    state(): WorldState {
        return {
            now: this.now,
            random: this.random.state,
            projects: [...this.projects.values()],
            records: Object.fromEntries([...this.lists].map(([name, records]) => [name, [...records.values()]])),
            counts: this.counts,
        };
    }

    /** Replaces the state with a saved one, which has no initial passwords. */
    restore(state: WorldState): void {
        const { counts, now = -Infinity, projects, random, records } = structuredClone(state);
        this.random = Random.resume(random);
        this.counts = { ...counts };
        this.latest = Math.max(this.latest, now);
        this.removed = [];
        refill(this.projects, projects);
        for (const kind of this.kinds) {
            this.tallyOf(kind);
            refill(this.records(kind), records[kind.name] ?? []);
        }
        this.initialPasswords.clear();
    }

    /** The present state as a world of its own. */
    copy(): World {
        return new World(this.kinds, this.rules, this.clock, this.state());
    }
}

function refill<T extends { id: string }>(map: Map<string, T>, records: readonly T[]): void {
    map.clear();
    for (const record of records) {
        map.set(record.id, record);
    }
}
